export { type Changed, changeById } from './change-by-id.ts'
export { type Draft, type ItemPlan, ItemsRefused, type Kind } from './kind.ts'
export { createOrChange, createOrChangeAll, createOrChangeBatch, createOrChangeSame } from './service.ts'
