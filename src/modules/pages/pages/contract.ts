import { z } from 'zod'
import { choice, cursorQuery, field, operations, recorded } from '../../../platform/contract/index.ts'
import { byLanguage, ContentLanguage, LANGUAGES_MAX } from '../../../platform/contract/languages.ts'
import { Block, BlockList } from '../blocks/contract.ts'
import { TemplateName } from '../page-templates/contract.ts'

export const PageStatus = choice({
  draft: 'Visitors see "not set up yet".',
  active: 'Visitors see the page.',
  inactive: 'Visitors see "paused".',
  archived: 'Visitors see "paused". No longer used.',
}).meta({
  description: 'Visitors see only `active` pages.',
  examples: ['active'],
})
export type PageStatus = z.infer<typeof PageStatus>

const title = field.name(200).meta({ examples: ['Report a fault'] })
const slug = field.slug.describe('Your own name for it. Unique in your organisation.')
const description = field.text(0, 2000).meta({ examples: ['For machines in the Berlin plant'] })
const metaTitle = field.name(200).meta({
  description: 'The title in search results and browser tabs. Defaults to `title`.',
  examples: ['Report a fault | Acme'],
})
const metaDescription = field.name(500).meta({
  description: 'The summary in search results and link previews.',
  examples: ['Tell us what is wrong, and we will take care of it.'],
})

const GRADIENT =
  /^linear-gradient\((\d{1,3}deg, ?)?#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})( \d{1,3}%)?(, ?#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})( \d{1,3}%)?){1,5}\)$/

export const Background = z
  .strictObject({
    type: choice({ color: '`value` is a colour.', gradient: '`value` is a gradient.' }),
    value: z
      .string()
      .max(200)
      .meta({ examples: ['#fbf8f3'] }),
    animated: z
      .boolean()
      .default(false)
      .describe('Whether a gradient moves slowly. Never for visitors who avoid motion.'),
    locked: z
      .boolean()
      .default(false)
      .describe(
        'Whether the page has the same colours in dark mode. Otherwise it has dark ones that are computed from these.',
      ),
  })
  .refine(({ type, value }) => (type === 'color' ? /^#[0-9A-Fa-f]{6}$/ : GRADIENT).test(value), {
    path: ['value'],
    error: 'Must be a colour such as #1a2b3c, or a gradient such as linear-gradient(135deg, #f1e9dc, #cbdcc9)',
  })
  .meta({
    id: 'PageBackground',
    description:
      'What is behind the page. `#fbf8f3`, the value of a new page, shows the background of your brand (`PATCH /organisation`).',
    examples: [{ type: 'color', value: '#fbf8f3', animated: false, locked: false }],
  })
export type Background = z.output<typeof Background>

/** A page that keeps these looks like the brand of its organisation. */
export const DEFAULT_BACKGROUND: Background = { type: 'color', value: '#fbf8f3', animated: false, locked: false }

const islandFields = {
  color: field.hexColor.describe('`#ffffff`, the value of a new page, shows the colour of cards in your brand.'),
  opacity: z.number().min(0).max(1),
  shadow: choice({ none: 'No shadow.', small: 'A narrow shadow.', medium: 'A clear shadow.', large: 'A wide shadow.' }),
  roundness: z
    .int()
    .min(0)
    .max(48)
    .describe('Of its corners, in pixels. 16, the value of a new page, shows the corner radius of your brand.'),
}
export const Island = z
  .object(islandFields)
  .meta({ id: 'PageIsland', description: 'The surface that the blocks are on.' })
export type Island = z.output<typeof Island>
export const DEFAULT_ISLAND: Island = { color: '#ffffff', opacity: 1, shadow: 'none', roundness: 16 }

const IslandInput = z
  .strictObject({
    color: islandFields.color.optional(),
    opacity: islandFields.opacity.optional(),
    shadow: islandFields.shadow.optional(),
    roundness: islandFields.roundness.optional(),
  })
  .meta({ id: 'PageIslandInput', description: 'Fields that you omit keep their value.' })

const Translation = z.strictObject({
  title: title.optional(),
  meta_title: metaTitle.optional(),
  meta_description: metaDescription.optional(),
})
const translations = byLanguage(Translation).meta({
  description: 'The texts of the page itself in other languages. Replaced as a whole.',
  examples: [{ de: { title: 'Störung melden' } }],
})
export type Translations = z.output<typeof translations>

/** More than 16 languages with the longest texts. */
const TRANSLATIONS_BYTES_MAX = 64 * 1024
const TranslationsInput = translations
  .refine((sent) => Buffer.byteLength(JSON.stringify(sent)) <= TRANSLATIONS_BYTES_MAX, {
    error: 'Must be at most 64 KiB as JSON',
  })
  .meta({
    description: 'The texts of the page itself in other languages: at most 64 KiB as JSON. Replaced as a whole.',
    examples: [{ de: { title: 'Störung melden' } }],
  })

const defaultLanguage = ContentLanguage.describe('The language of texts that are not given per language.')
const proofOfWork = choice({
  automatic: 'While the page gets unusually many submissions.',
  always: 'For every submission.',
  never: 'Never.',
}).describe("When a visitor's browser must do some work before the form is accepted as real.")
const notifyUserIds = z
  .array(field.id)
  .max(20)
  .refine((ids) => new Set(ids).size === ids.length, { error: 'Must not contain the same id twice' })
  .describe('Members who get an email about each new submission, except spam.')

export const Page = z
  .object({
    object: z.literal('page'),
    id: field.id,
    slug,
    public_slug: field.publicSlug,
    url: z.string().meta({
      format: 'uri',
      description: 'The public address of the page.',
      examples: ['https://go.acme.com/p/k7Qm2XvB9sTe'],
    }),
    status: PageStatus,
    title,
    description: description.nullable().describe('A note for your team. Visitors do not see it.'),
    background: Background,
    island: Island,
    favicon_url: field.webUrl.nullable(),
    meta_title: metaTitle.nullable(),
    meta_description: metaDescription.nullable(),
    og_image_url: field.webUrl.nullable().describe('The picture in link previews.'),
    default_language: defaultLanguage,
    languages: z
      .array(ContentLanguage)
      .max(LANGUAGES_MAX)
      .describe(`The languages that the page has texts in. At most ${LANGUAGES_MAX}.`),
    proof_of_work: proofOfWork,
    notify_user_ids: notifyUserIds,
    view_count: recorded(z.int().meta({ description: 'The number of visits by people.', examples: [42] })),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Page', description: 'A page for people who scan your codes: texts, images, links and a form.' })
export type Page = z.infer<typeof Page>

export const PageWithBlocks = Page.extend({ translations, blocks: z.array(Block) }).meta({
  id: 'PageWithBlocks',
  description: 'A page with its blocks, in the order in which visitors see them.',
})
export type PageWithBlocks = z.infer<typeof PageWithBlocks>

const fields = {
  slug: slug.optional(),
  status: PageStatus.optional(),
  description: description.nullable().optional(),
  background: Background.optional(),
  island: IslandInput.optional(),
  favicon_url: field.webUrl.nullable().optional(),
  meta_title: metaTitle.nullable().optional(),
  meta_description: metaDescription.nullable().optional(),
  og_image_url: field.webUrl.nullable().optional(),
  default_language: defaultLanguage.optional(),
  translations: TranslationsInput.optional(),
  proof_of_work: proofOfWork.optional(),
  notify_user_ids: notifyUserIds.optional(),
}

export const PageCreate = z
  .strictObject({
    title,
    ...fields,
    slug: fields.slug.describe(
      'Your own name for it. Unique in your organisation. Defaults to the title as a slug, with a number if that is taken.',
    ),
    default_language: fields.default_language.describe(
      'The language of texts that are not given per language. Defaults to the default language of your organisation.',
    ),
    blocks: BlockList.optional(),
    template: TemplateName.optional().describe(
      'Starts with the blocks of this [template](#tag/page-templates), and with its titles as `translations` unless you send your own. Its texts in the language nearest to `default_language` become those in the default language.',
    ),
  })
  .refine(({ blocks, template }) => blocks === undefined || template === undefined, {
    path: ['template'],
    error: 'Must not be sent together with blocks',
  })
  .meta({ id: 'PageCreate' })
export type PageCreate = z.output<typeof PageCreate>

export const PageUpdate = z.strictObject({ title: title.optional(), ...fields }).meta({ id: 'PageUpdate' })
export type PageUpdate = z.output<typeof PageUpdate>

export const pages = operations(
  {
    name: 'pages',
    title: 'Pages',
    about:
      'Pages for people who scan your codes: texts, images, links and a form, built from blocks. What visitors send becomes a [submission](#tag/submissions).',
    area: 'pages',
  },
  {
    list: {
      method: 'GET',
      path: '/pages',
      summary: 'List pages',
      description: 'Newest first. Without `blocks` and `translations`.',
      query: cursorQuery({ status: PageStatus.optional().describe('Only pages with this status.') }),
      cursor: Page,
    },
    create: {
      method: 'POST',
      path: '/pages',
      summary: 'Create a page',
      body: PageCreate,
      created: PageWithBlocks,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({
        title: `Report a fault ${n}`,
        status: 'active',
        blocks: [
          { type: 'heading', config: { text: { en: 'Report a fault', de: 'Störung melden' }, level: 1 } },
          { type: 'form_textarea', config: { label: 'What happened?', name: 'what', required: true } },
          { type: 'form_submit', config: { label: 'Send' } },
        ],
      }),
    },
    get: { method: 'GET', path: '/pages/{id}', summary: 'Get a page with its blocks', ok: PageWithBlocks },
    update: {
      method: 'PATCH',
      path: '/pages/{id}',
      summary: 'Change a page',
      description: 'The next visitor sees the change. The public address never changes.',
      body: PageUpdate,
      ok: PageWithBlocks,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ title: `Contact us ${n}`, status: 'active' }),
    },
    delete: {
      method: 'DELETE',
      path: '/pages/{id}',
      summary: 'Delete a page',
      description:
        'Visitors then see a "no longer in use" page. Its submissions are kept. QR codes that link to it keep that destination, so change them first.',
    },
    replaceBlocks: {
      method: 'PUT',
      path: '/pages/{id}/blocks',
      summary: 'Replace the blocks of a page',
      description:
        'Replaces the whole list; the order of the array is the order on the page. Send the `id` of a block to keep it: submissions refer to blocks by their id.',
      body: z.strictObject({ blocks: BlockList }).meta({ id: 'PageBlocks' }),
      ok: PageWithBlocks,
      errors: ['unprocessable'],
      example: (n) => ({
        blocks: [
          { type: 'heading', config: { text: `Welcome ${n}`, level: 1 } },
          { type: 'button', config: { label: 'Manual', url: 'https://acme.com/manual' } },
        ],
      }),
    },
    duplicate: {
      method: 'POST',
      path: '/pages/{id}/duplicate',
      summary: 'Copy a page',
      description: 'The copy is a draft with an address of its own. It has neither views nor submissions.',
      created: PageWithBlocks,
    },
  },
)
