import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'

const TYPES = ['chatbot', 'page', 'knowledge_base', 'url'] as const
type Type = (typeof TYPES)[number]

const URL_LENGTH_MAX = 2048

const type = z.enum(TYPES).meta({ examples: ['url'] })
const id = field.id.meta({ format: 'uuid' })
const url = z
  .string()
  .refine(isWebAddress, { error: `Must be an http or https address of at most ${URL_LENGTH_MAX} characters` })
  .meta({ format: 'uri', maxLength: URL_LENGTH_MAX, examples: ['https://acme.com/care'] })

/** Where something leads. */
export const Destination = z
  .object({
    type: type.nullable().describe('What it leads to; null when it leads nowhere yet.'),
    chatbot: id.nullable().meta({ examples: [null] }),
    page: id.nullable().meta({ examples: [null] }),
    knowledge_base: id.nullable().meta({ examples: [null] }),
    url: url.nullable(),
  })
  .meta({
    id: 'Destination',
    description: 'Where it leads: exactly the companion that `type` names is set, or none of all five.',
  })
export type Destination = z.infer<typeof Destination>

export const ProductDestination = Destination.omit({ type: true }).meta({
  id: 'ProductDestination',
  description: 'Where it leads: exactly one is set, or none.',
})
export type ProductDestination = z.infer<typeof ProductDestination>

/** The same, as it is kept: what kind of thing, and which. */
export type DestinationRef =
  | { type: Exclude<Type, 'url'>; id: string; url: null }
  | { type: 'url'; id: null; url: string }

/** What a caller may send for a destination; what comes out is where it leads, or null to clear it. */
export const DestinationInput = z
  .strictObject({
    type: type.nullable().optional().describe('May be left out when exactly one companion is given.'),
    chatbot: id
      .nullable()
      .optional()
      .meta({ examples: [null] }),
    page: id
      .nullable()
      .optional()
      .meta({ examples: [null] }),
    knowledge_base: id
      .nullable()
      .optional()
      .meta({ examples: [null] }),
    url: url.nullable().optional(),
  })
  .meta({ id: 'DestinationInput', description: 'Where it leads. `{}` or all null clears it.' })
  .transform((sent, context): DestinationRef | null => {
    const given = TYPES.filter((name) => sent[name] != null)
    const refuse = (message: string): never => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const [only] = given
    if (given.length > 1) return refuse(`Must lead to one of ${TYPES.join(', ')}, not to ${given.join(' and ')}`)
    if (sent.type != null && sent.type !== only) return refuse(`Must have a ${sent.type}, because that is its type`)
    if (only === undefined) return null
    return only === 'url'
      ? { type: only, id: null, url: sent.url as string }
      : { type: only, id: sent[only] as string, url: null }
  })
  .nullable()

/** What becomes of a scan. A code that is `unconfigured` takes what its group says. */
export const Status = z.enum(['unconfigured', 'active', 'inactive', 'archived']).meta({ examples: ['active'] })
export type Status = z.infer<typeof Status>

function isWebAddress(text: string): boolean {
  return text.length <= URL_LENGTH_MAX && /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text) && URL.canParse(text)
}
