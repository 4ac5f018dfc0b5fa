export {
  countUndoLinks,
  createLink,
  dropLinks,
  dropUndoLinks,
  findLink,
  isReserved,
  takeLink,
  takeUndoLink,
} from './service.ts'
