import { z } from 'zod'
import { choice, field } from '../../../platform/contract/index.ts'

const TYPES = ['chatbot', 'page', 'knowledge_base', 'url'] as const
type Type = (typeof TYPES)[number]

const type = choice({
  chatbot: 'The chat of a chatbot.',
  page: 'A page.',
  knowledge_base: 'A help centre.',
  url: 'Any web address.',
}).meta({ examples: ['url'] })
const id = field.id.meta({ format: 'uuid' })
export const Destination = z
  .object({
    type: type.nullable().describe('Names the field that is set. Null when there is no destination yet.'),
    chatbot: id.nullable().meta({ examples: [null] }),
    page: id.nullable().meta({ examples: [null] }),
    knowledge_base: id.nullable().meta({ examples: [null] }),
    url: field.webUrl.nullable(),
  })
  .meta({
    id: 'Destination',
    description: 'Where a scan redirects to. The field that `type` names is set, or all five fields are null.',
  })
export type Destination = z.infer<typeof Destination>

export const ProductDestination = Destination.omit({ type: true }).meta({
  id: 'ProductDestination',
  description: 'Where a scan redirects to. At most one field is set.',
})
export type ProductDestination = z.infer<typeof ProductDestination>

/** A destination in its stored form: its type, and an id or a URL. */
export type DestinationRef =
  | { type: Exclude<Type, 'url'>; id: string; url: null }
  | { type: 'url'; id: null; url: string }

/** A destination in a request body. Parses to the stored form, or to null to clear it. */
export const DestinationInput = z
  .strictObject({
    type: type.nullable().optional().describe('Optional when exactly one other field is set.'),
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
    url: field.webUrl.nullable().optional(),
  })
  .meta({
    id: 'DestinationInput',
    description: 'Where a scan redirects to. Send `null`, `{}` or all fields null to clear it.',
  })
  .transform((sent, context): DestinationRef | null => {
    const given = TYPES.filter((name) => sent[name] != null)
    const refuse = (message: string): never => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const [only] = given
    if (given.length > 1) return refuse(`Must have only one of ${TYPES.join(', ')}, but has ${given.join(' and ')}`)
    if (sent.type != null && sent.type !== only) return refuse(`Must set ${sent.type}, because type is ${sent.type}`)
    if (only === undefined) return null
    return only === 'url'
      ? { type: only, id: null, url: sent.url as string }
      : { type: only, id: sent[only] as string, url: null }
  })
  .nullable()

const articleId = id.nullable()

/** Beside a destination: the five fields of `Destination` are fixed. */
export const DestinationArticleId = articleId.meta({
  description:
    'The article of the knowledge base in `destination` that a scan leads to. Null when it leads to the home page of the help centre. While visitors may not read the article, scans lead there, too.',
  examples: [null],
})

/** What a request says about a destination. */
export const destinationFields = {
  destination: DestinationInput.optional(),
  destination_article_id: articleId.optional().meta({
    description:
      'An article that scans lead to. Also sets `destination` to its knowledge base; if you send both, they must agree. Null clears the article, and another `destination` does, too.',
    examples: [null],
  }),
}

/** Decides what a scan shows. An `unconfigured` code uses the status and destination of its group. */
export const Status = choice({
  unconfigured: 'A scan shows "not set up yet". A QR code in a group uses the status and destination of its group.',
  active: 'A scan goes to the destination.',
  inactive: 'A scan shows "paused".',
  archived: 'A scan shows "paused". Lists of QR codes leave it out.',
}).meta({ examples: ['active'] })
export type Status = z.infer<typeof Status>
