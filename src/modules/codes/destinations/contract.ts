import { z } from 'zod'
import { choice, field } from '../../../platform/contract/index.ts'

/** Our own destinations: the table of each, and the path under which visitors reach it. A destination has a field for each. */
export const PLACES = {
  chatbot: { about: 'The chat of a chatbot.', table: 'chatbots', path: '/c/' },
  page: { about: 'A page.', table: 'pages', path: '/p/' },
  knowledge_base: { about: 'A help centre.', table: 'knowledge_bases', path: '/kb/' },
} as const
export type Place = keyof typeof PLACES

export const PLACE_NAMES = Object.keys(PLACES) as Place[]

export const forEachPlace = <T>(make: (place: Place) => T): Record<Place, T> =>
  Object.fromEntries(PLACE_NAMES.map((place) => [place, make(place)])) as Record<Place, T>

const TYPES = [...PLACE_NAMES, 'url'] as const

const type = choice({ ...forEachPlace((place) => PLACES[place].about), url: 'Any web address.' }).meta({
  examples: ['url'],
})
const id = field.id.meta({ format: 'uuid' })
export const Destination = z
  .object({
    type: type.nullable().describe('Names the field that is set. Null when there is no destination yet.'),
    ...forEachPlace(() => id.nullable().meta({ examples: [null] })),
    url: field.webUrl.nullable(),
  })
  .meta({
    id: 'Destination',
    description: 'Where a scan redirects to. The field that `type` names is set, or all fields are null.',
  })
export type Destination = z.infer<typeof Destination>

export const ProductDestination = Destination.omit({ type: true }).meta({
  id: 'ProductDestination',
  description: 'Where a scan redirects to. At most one field is set.',
})
export type ProductDestination = z.infer<typeof ProductDestination>

/** A destination in its stored form: its type, and an id or a URL. */
export type DestinationRef = { type: Place; id: string; url: null } | { type: 'url'; id: null; url: string }

/** A destination in a request body. Parses to the stored form, or to null to clear it. */
export const DestinationInput = z
  .strictObject({
    type: type.nullable().optional().describe('Optional when exactly one other field is set.'),
    ...forEachPlace(() =>
      id
        .nullable()
        .optional()
        .meta({ examples: [null] }),
    ),
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

/** A field beside the destination, whose own fields are fixed. */
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
