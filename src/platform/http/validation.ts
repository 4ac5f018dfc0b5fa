import { z } from 'zod'
import { invalidPayload } from '../errors/index.ts'

/** Words for what Zod found; a field that is missing is said to be required, not "undefined". */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'Required'
  if (issue.code === 'unrecognized_keys') return `Unknown or read-only: ${issue.keys.join(', ')}`
  return undefined
}

/** What the schema makes of a value, or the `invalid_payload` that names each field which does not fit. */
export function parsePayload<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  const { formErrors, fieldErrors } = z.flattenError(parsed.error)
  throw invalidPayload(fieldErrors as Record<string, string[]>, formErrors)
}

const COMPLAINT = 'Must not contain U+0000 or an unpaired surrogate'

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/**
 * Finds text that is valid JSON but that no database can hold as text. Told here for every field at once,
 * so that no family can forget it. Walks without recursion: the nesting is the sender's choice.
 */
export function unstorable(value: unknown): { field: string; complaint: string } | undefined {
  const stack: { field: string; value: unknown }[] = [{ field: '', value }]
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { field, value } = item
    if (typeof value === 'string' && !isStorable(value)) return { field, complaint: COMPLAINT }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      const name = field === '' ? key : field
      if (!isStorable(key)) return { field: name.replaceAll('\0', '').toWellFormed(), complaint: COMPLAINT }
      stack.push({ field: name, value: inner })
    }
  }
  return undefined
}
