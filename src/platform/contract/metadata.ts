import { z } from 'zod'

const BYTES_MAX = 16 * 1024
/** Thousands of levels fit into so many bytes, and would exhaust the stack of whatever walks or writes them. */
const DEPTH_MAX = 32

/** What customers keep with a thing of theirs. */
export const Metadata = z
  .record(z.string(), z.unknown(), { error: 'Must be a JSON object' })
  .meta({ description: 'Anything you want to keep with it.', examples: [{ material: 'oak', seats: 1 }] })

/** The same as it is sent. What comes out is what JSON makes of it, so that -0 is no change of 0. */
export const MetadataInput = z.preprocess((sent, context) => {
  const complaint = complaintAbout(sent)
  if (complaint === undefined) return JSON.parse(JSON.stringify(sent))
  context.addIssue({ code: 'custom', message: complaint })
  return z.NEVER
}, Metadata.describe('Anything you want to keep with it, at most 16 KiB as JSON. Replaced as a whole.'))

/** Level by level, without recursion: the nesting is the sender's choice. */
function complaintAbout(sent: unknown): string | undefined {
  let level = [sent]
  for (let depth = 0; level.length > 0; depth++) {
    if (level.some((value) => typeof value === 'number' && !Number.isFinite(value)))
      return 'Must not have a number over 1.79e308'
    const nests = level.filter((value) => typeof value === 'object' && value !== null) as object[]
    if (nests.length > 0 && depth >= DEPTH_MAX) return `Must be nested at most ${DEPTH_MAX} levels deep`
    // Zod would drop it without a word, and careless programs trip over it.
    if (nests.some((nest) => Object.hasOwn(nest, '__proto__'))) return 'Must not have a key __proto__'
    level = nests.flatMap((nest) => Object.values(nest))
  }
  return Buffer.byteLength(JSON.stringify(sent)) > BYTES_MAX ? 'Must be at most 16 KiB as JSON' : undefined
}
