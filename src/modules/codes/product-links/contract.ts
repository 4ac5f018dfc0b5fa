import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { ContentLanguageOrUndetermined } from '../../../platform/contract/languages.ts'
import { Destination, DestinationInput, type DestinationRef } from '../destinations/contract.ts'
import { ANY, LinkType, LinkUrl } from '../gs1/contract.ts'

const LINKS_MAX = 100
const MEDIA_TYPE_LENGTH_MAX = 255
/** GS1 limits lots and serial numbers to this length. */
const QUALIFIER_LENGTH_MAX = 20

const title = field.name(200).meta({ description: 'Tells people what they find there.', examples: ['Care guide'] })
const language = ContentLanguageOrUndetermined.meta({
  description:
    'The language of what the link leads to, as a BCP 47 tag. `und`, like null, means that it suits readers of any language.',
  examples: ['de'],
})
const mediaType = z
  .string()
  .max(MEDIA_TYPE_LENGTH_MAX)
  .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i, {
    error: 'Must be a media type such as text/html, without parameters',
  })
  .toLowerCase()
  .meta({ description: 'The media type of what the link leads to.', examples: ['text/html'] })
const isDefault = z.boolean().meta({
  description: 'Whether visitors who ask for nothing in particular get this link. One link of each scope can be it.',
  examples: [true],
})
const lot = field.text(1, QUALIFIER_LENGTH_MAX).meta({
  description:
    'Only for this batch or lot. Together with `serial`, the scope of the link. `{lot}` stands for any lot, and is set if the URL has this placeholder.',
  examples: [null],
})
const serial = field.text(1, QUALIFIER_LENGTH_MAX).meta({
  description:
    'Only for the item with this serial number. `{serial}` stands for any item, and is set if the URL has this placeholder.',
  examples: [null],
})

export const ProductLink = z
  .object({
    object: z.literal('product_link'),
    id: field.id,
    link_type: LinkType,
    url: LinkUrl.nullable().describe(
      'Where the link leads. Null if it leads to a destination. Placeholders such as `{serial}` are filled in for each scan.',
    ),
    destination: Destination.nullable()
      .describe('The chatbot, page or knowledge base that the link leads to. Null if it leads to a URL.')
      .meta({ examples: [null] }),
    title,
    language: language.nullable(),
    media_type: mediaType.nullable(),
    is_default: isDefault,
    lot: lot.nullable(),
    serial: serial.nullable(),
    sort_order: z.int().meta({ description: 'Position in the list, starting at 0.', examples: [0] }),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({
    id: 'ProductLink',
    description: 'One of several places that the GS1 Digital Link of a product, or of a lot or item of it, leads to.',
  })
export type ProductLink = z.infer<typeof ProductLink>

const ProductLinkInput = z
  .strictObject({
    link_type: LinkType,
    url: LinkUrl.nullable()
      .optional()
      .describe(
        'Send this or `destination`. It can have the placeholders `{gtin}`, `{cpv}`, `{lot}`, `{serial}` and `{tpx}`, which are replaced by the percent-encoded values of the scanned link. Without such a value, the link is not used.',
      ),
    destination: DestinationInput.optional(),
    title,
    language: language.nullable().default(null),
    media_type: mediaType.nullable().default(null),
    is_default: isDefault.default(false),
    lot: lot.nullable().default(null),
    serial: serial.nullable().default(null),
  })
  .meta({ id: 'ProductLinkInput' })
  .transform(({ url, destination: sent, ...link }, context) => {
    const destination = url == null ? sent : ({ type: 'url', id: null, url } satisfies DestinationRef)
    if (destination == null || (url != null && sent != null)) {
      context.addIssue({ code: 'custom', message: 'Must have either url or destination' })
      return z.NEVER
    }
    const scopeOf = (name: 'lot' | 'serial') => link[name] ?? (destination.url?.includes(ANY[name]) ? ANY[name] : null)
    return { ...link, destination, lot: scopeOf('lot'), serial: scopeOf('serial') }
  })

const ProductLinkList = z
  .array(ProductLinkInput)
  .max(LINKS_MAX, { error: `Must have at most ${LINKS_MAX} links` })
  // Not `superRefine`, which would also see links that are not valid.
  .transform((links, context) => {
    const positions = new Map<string, number>()
    const defaults = new Map<string, number>()
    const refuse = (at: number, message: string) => context.addIssue({ code: 'custom', path: [at], message })
    for (const [at, link] of links.entries()) {
      const same = positions.get(identityOf(link))
      if (same === undefined) positions.set(identityOf(link), at)
      else refuse(at, `Is the same link as links[${same}]`)
      if (!link.is_default) continue
      const scope = JSON.stringify([link.lot, link.serial])
      const other = defaults.get(scope)
      if (other === undefined) defaults.set(scope, at)
      else refuse(at, `Only one link of a scope can be the default, and links[${other}] is`)
    }
    return links
  })
export type ProductLinkList = z.output<typeof ProductLinkList>

/** Identifies a link within its list. Its title, its position and whether it is the default can change. */
export const identityOf = ({ link_type, destination, language, media_type, lot, serial }: ProductLinkList[number]) =>
  JSON.stringify([link_type, destination.type, destination.id, destination.url, language, media_type, lot, serial])

const ProductLinkQuery = offsetQuery({}, LINKS_MAX)

export const productLinks = operations(
  {
    name: 'product-links',
    title: 'Product links',
    about:
      'Where the GS1 Digital Link of a product can lead. Apps ask for a type of link, such as instructions or allergens, and get the link in the language of their user. Links can be for a single lot or item.',
    area: 'products',
  },
  {
    list: {
      method: 'GET',
      path: '/products/{id}/links',
      summary: 'List the links of a product',
      query: ProductLinkQuery,
      offset: ProductLink,
    },
    replace: {
      method: 'PUT',
      path: '/products/{id}/links',
      summary: 'Replace the links of a product',
      description:
        'Send the whole list, in order. Links that you leave out are deleted. Of several links that suit a visitor equally, the first is used. The next scan uses the new list.',
      query: ProductLinkQuery,
      body: z.strictObject({ links: ProductLinkList }),
      offset: ProductLink,
      errors: ['unprocessable'],
      example: (n) => ({
        links: [
          {
            link_type: 'gs1:pip',
            url: `https://acme.com/chairs/oak-${n}`,
            title: 'Oak chair',
            language: 'en',
            media_type: 'text/html',
            is_default: true,
          },
          { link_type: 'gs1:recallStatus', url: 'https://acme.com/recalls', title: 'Recall of lot L42', lot: 'L42' },
        ],
      }),
    },
  },
)
