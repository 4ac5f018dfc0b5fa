export {
  ApiError,
  invalidPayload,
  invalidQuery,
  unprocessable,
  unprocessableEntry,
  type ValidationDetails,
} from './api-error.ts'
export { atItem } from './at-item.ts'
export {
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  type ErrorTable,
  errorTable,
  type FamilyError,
} from './error-table.ts'
