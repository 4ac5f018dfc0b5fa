import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** `changes` of an `.updated` event. */
export const Changes = z
  .record(
    z.string(),
    z.object({
      from: z.unknown(),
      to: z.unknown(),
      omitted: z
        .literal(true)
        .optional()
        .describe('Set when the values are secret, or too long for an event. `from` and `to` are then null.'),
    }),
  )
  .meta({ description: 'Each field that changed.', examples: [{ name: { from: 'Door sign', to: 'Gate sign' } }] })

export type Changes = z.infer<typeof Changes>

/** Returns the fields that differ between two states of a resource, or undefined when none does. */
export function changesOf(before: object, after: object): Changes | undefined {
  const fields = Object.entries(after).filter(([name]) => name !== 'updated_at')
  const changed = fields.flatMap(([name, to]) => {
    const from: unknown = (before as Record<string, unknown>)[name]
    return isDeepStrictEqual(from, to) ? [] : [[name, { from, to }] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}
