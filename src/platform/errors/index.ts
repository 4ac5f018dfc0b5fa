export { ApiError, invalidPayload, invalidQuery, unprocessable, type ValidationDetails } from './api-error.ts'
export {
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  type ErrorTable,
  errorTable,
  type FamilyError,
} from './error-table.ts'
