import { z } from 'zod'

const BYTES_MAX = 16 * 1024
/** Thousands of levels fit into 16 KiB. They would overflow the stack of any code that walks or serialises them. */
const DEPTH_MAX = 32

export const Metadata = z
  .record(z.string(), z.unknown(), { error: 'Must be a JSON object' })
  .meta({ description: 'Your own data, as a JSON object.', examples: [{ material: 'oak', seats: 1 }] })

/** Metadata in a request. A round trip through JSON normalises it, so that -0 does not count as a change of 0. */
export const MetadataInput = z.preprocess((sent, context) => {
  const problem = findProblem(sent)
  if (problem === undefined) return JSON.parse(JSON.stringify(sent))
  context.addIssue({ code: 'custom', message: problem })
  return z.NEVER
}, Metadata.describe('Your own data, as a JSON object of at most 16 KiB. Replaces the previous object.'))

/** Walks level by level, without recursion: the sender chooses the depth. */
function findProblem(sent: unknown): string | undefined {
  let level = [sent]
  for (let depth = 0; level.length > 0; depth++) {
    if (level.some((value) => typeof value === 'number' && !Number.isFinite(value)))
      return 'Must not contain a number over 1.79e308'
    const containers = level.filter((value) => typeof value === 'object' && value !== null) as object[]
    if (containers.length > 0 && depth >= DEPTH_MAX) return `Must be nested at most ${DEPTH_MAX} levels deep`
    // Zod would silently drop it, and it allows prototype pollution in careless clients.
    if (containers.some((container) => Object.hasOwn(container, '__proto__')))
      return 'Must not contain the key __proto__'
    level = containers.flatMap((container) => Object.values(container))
  }
  return Buffer.byteLength(JSON.stringify(sent)) > BYTES_MAX ? 'Must be at most 16 KiB as JSON' : undefined
}
