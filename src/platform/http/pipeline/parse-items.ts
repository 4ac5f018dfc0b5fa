import type { z } from 'zod'
import { BATCH_ITEMS_MAX } from '../../contract/batch.ts'
import type { RefusedItem } from '../../contract/operation.ts'
import { ApiError, atItem } from '../../errors/index.ts'
import { parsePayload } from './validation.ts'

interface Batch {
  mode: 'each'
  items: unknown[]
}

/** Whether a body asks for each of its items to be done if it can be. Any other body is valid as a whole or not at all. */
export const isOfEach = (json: unknown): json is Batch =>
  typeof json === 'object' &&
  json !== null &&
  'mode' in json &&
  json.mode === 'each' &&
  'items' in json &&
  Array.isArray(json.items) &&
  json.items.length > 0 &&
  json.items.length <= BATCH_ITEMS_MAX

/** Parses every item on its own. The body has the valid ones only. */
export function parseItems(
  schema: z.ZodObject,
  { items, ...rest }: Batch,
  isReadOnly: (path: readonly PropertyKey[], key: string) => boolean,
) {
  const item = (schema.shape.items as z.ZodArray<z.ZodObject>).element
  const valid: unknown[] = []
  const refused: RefusedItem[] = []
  for (const [index, sent] of items.entries()) {
    try {
      valid.push(parsePayload(item, sent, (path, key) => isReadOnly(['items', index, ...path], key)))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refused.push({ index, sent, error: atItem(error, index) })
    }
  }
  return { body: { ...parsePayload(schema.omit({ items: true }), rest, isReadOnly), items: valid }, refused }
}
