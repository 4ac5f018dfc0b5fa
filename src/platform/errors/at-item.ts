import { ApiError, invalidPayload, type ValidationDetails } from './api-error.ts'
import type { ErrorCode } from './error-table.ts'

/** The same error about one entry of `items`, with the whole path of its field: `items[417].status`. */
export function atItem(error: ApiError, index: number): ApiError {
  const place = `items[${index}]`
  const details = (error.details ?? {}) as Partial<ValidationDetails> & { field?: string }
  if (details.fieldErrors !== undefined) {
    const fields = Object.entries(details.fieldErrors).map(([field, problems]) => [`${place}.${field}`, problems])
    const { formErrors = [] } = details
    return invalidPayload(Object.fromEntries(formErrors.length === 0 ? fields : [[place, formErrors], ...fields]))
  }
  if (details.field === undefined) return error
  const field = `${place}.${details.field}`
  const problem = error.message.startsWith(`${details.field}: `)
    ? error.message.slice(`${details.field}: `.length)
    : error.message
  return new ApiError(error.code as ErrorCode, `${field}: ${problem}`, { details: { ...details, field } })
}
