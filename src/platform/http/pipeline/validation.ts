import type { z } from 'zod'
import { collectProblems, describeIssue, type IssueFacts } from '../../contract/describe-issue.ts'
import { invalidPayload } from '../../errors/index.ts'

/** Parses a value; throws an `invalid_payload` that names each invalid field by its whole path. */
export function parsePayload<S extends z.ZodType>(
  schema: S,
  value: unknown,
  isReadOnly?: IssueFacts['isReadOnly'],
): z.output<S> {
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  const facts = { value, unknown: 'Unknown field', ...(isReadOnly && { isReadOnly }) }
  const { fieldErrors, formErrors } = collectProblems(parsed.error.issues, facts)
  throw invalidPayload(fieldErrors, formErrors)
}

const PROBLEM = 'Must not contain U+0000 or an unpaired surrogate'

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

interface Place {
  value: unknown
  key: PropertyKey
  inside: Place | undefined
}

/**
 * Finds text that is valid JSON but that a database cannot store. Checked here for all fields, so that no family can
 * forget it. Without recursion, because the sender chooses the depth.
 */
export function unstorable(value: unknown): { path: PropertyKey[]; problem: string } | undefined {
  const stack: Place[] = [{ value, key: '', inside: undefined }]
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { value } = place
    if (typeof value === 'string' && !isStorable(value)) return { path: pathTo(place), problem: PROBLEM }
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    for (const [key, inner] of Object.entries(value)) {
      const within = { value: inner, key: isList ? Number(key) : key, inside: place }
      if (!isStorable(key)) return { path: pathTo(within), problem: PROBLEM }
      stack.push(within)
    }
  }
  return undefined
}

function pathTo(place: Place): PropertyKey[] {
  const path: PropertyKey[] = []
  for (let at = place; at.inside !== undefined; at = at.inside) path.push(at.key)
  return path.reverse()
}
