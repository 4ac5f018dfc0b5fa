import { z } from 'zod'
import { choice, field } from '../../../platform/contract/index.ts'
import { byLanguage, type ContentLanguage, LANGUAGES_MAX } from '../../../platform/contract/languages.ts'
import { Destination, DestinationInput } from '../../codes/destinations/contract.ts'

/** A text for all visitors, or one text per language. */
export type Text = string | Record<ContentLanguage, string>

const TEXT_ERROR = 'Must be a text, or an object of texts by language, such as {"en": "…", "de": "…"}'

const textsByLanguage = (text: z.ZodType<string>) =>
  byLanguage(text).refine((texts) => Object.keys(texts).length > 0, {
    error: 'Must have a text in at least one language',
    when: ({ issues }) => issues.length === 0,
  })

const inLanguages = (id: string, text: z.ZodType<string>) =>
  z
    .union([text, textsByLanguage(text)], { error: ({ input }) => (input === undefined ? 'Required' : TEXT_ERROR) })
    .meta({
      id,
      description: 'A text in the default language of the page, or an object of texts by language.',
      examples: ['Report a fault', { en: 'Report a fault', de: 'Störung melden' }],
    })

const texts = new Map<number, ReturnType<typeof inLanguages>>()

/** Trimmed, never blank. One schema per length, so that the API reference describes each once. */
function text(max: number) {
  const known = texts.get(max)
  if (known !== undefined) return known
  const schema = inLanguages(`PageText${max}`, field.name(max).meta({ examples: ['Report a fault'] }))
  texts.set(max, schema)
  return schema
}

const note = (max: number) => text(max).nullable().default(null)
const line = (max: number) => field.name(max).nullable().default(null)
const url = field.webUrlTemplate.nullable().default(null)
const color = field.hexColor.nullable().default(null)
/** The first value is the default. */
const oneOf = <const Values extends Readonly<Record<string, string>>>(values: Values) => {
  const schema = choice(values)
  return schema.default(schema.options[0] as keyof Values & string)
}

const alignment = oneOf({
  left: 'At the left, or at the right in a language that is written from right to left.',
  center: 'In the middle.',
  right: 'At the opposite side of `left`.',
})
const style = oneOf({
  primary: 'Filled with the accent colour.',
  secondary: 'Filled with a light tone.',
  outline: 'With a border only.',
})

const NAME = /^[A-Za-z0-9_.-]{1,64}$/
const NAME_ERROR = 'Must be 1 to 64 of the characters A-Z a-z 0-9 _ . -'

/** Forms send fields of our own beside those of the page. Their names begin with this. */
const RESERVED = '_wm_'

const name = z
  .string()
  .regex(NAME, { error: NAME_ERROR })
  .refine((text) => !text.startsWith(RESERVED), { error: `Must not begin with ${RESERVED}` })
  .meta({ description: 'Your own name for the field. Unique on the page.', examples: ['serial_number'] })

const formField = {
  label: text(300),
  name,
  required: z.boolean().default(false),
  help: note(1000),
}
const placeholder = note(200)

const length = (max: number) => z.int().min(0).max(max).nullable().default(null)
const number = z.number().min(-1e15).max(1e15).nullable().default(null)
const date = z.iso.date({ error: 'Must be a date such as 2026-06-09' }).nullable().default(null)

const option = z
  .strictObject({
    value: field.name(200).meta({ description: 'What a submission contains.', examples: ['berlin'] }),
    label: text(300),
  })
  .meta({ id: 'FormOption' })
const options = z
  .array(option)
  .min(1)
  .max(200)
  .refine((list) => new Set(list.map(({ value }) => value)).size === list.length, {
    error: 'Must not contain the same value twice',
  })

/** The text that a visitor may write into one field. */
export const TEXT_LENGTH_MAX = 1000
export const LONG_TEXT_LENGTH_MAX = 10_000
const FILES_MAX = 10
const FILE_MEGABYTES_MAX = 15

/** What visitors see. */
const content = {
  heading: z.strictObject({ text: text(300), level: z.int().min(1).max(6).default(2), alignment, color }),
  text: z.strictObject({
    text: inLanguages('PageMarkdown', field.text(1, 10_000).meta({ examples: ['Clean it **once a week**.'] })).describe(
      'Markdown.',
    ),
    alignment,
    color,
  }),
  image: z.strictObject({
    url: field.webUrlTemplate,
    alt: note(500).describe('What the image shows, for people who cannot see it. Null if it is decoration.'),
    caption: note(500),
    link_url: url,
    width: oneOf({ full: 'As wide as the text.', medium: '70 % of it.', small: '40 % of it.' }),
  }),
  video: z.strictObject({
    url: field.webUrlTemplate.describe('A video file plays on the page. Any other address is shown as a link.'),
    title: text(300),
    poster_url: url,
    caption: note(500),
  }),
  divider: z.strictObject({ style: oneOf({ line: 'A line.', dots: 'Three dots.', space: 'Empty space.' }), color }),
  banner: z.strictObject({
    text: text(1000),
    title: note(200),
    kind: oneOf({
      info: 'Something to know.',
      success: 'Something that went well.',
      warning: 'Something to be careful about.',
      danger: 'Something that can cause harm.',
    }),
  }),
}

const buttonConfig = <D extends z.ZodType>(destination: D) =>
  z.strictObject({ label: text(100), url, destination, style }).refine(
    (config) => {
      const { url, destination } = config as { url: string | null; destination?: unknown }
      return (url === null) !== ((destination ?? null) === null)
    },
    { path: ['url'], error: 'Must have either url or destination' },
  )

const links = {
  contact: z.strictObject({
    name: field.name(200).meta({ examples: ['Acme customer service'] }),
    organisation: line(200),
    job_title: note(200),
    phone: line(50),
    email: z.email({ error: 'Must be an email address' }).max(254).nullable().default(null),
    website: url,
    address: line(500),
  }),
  file: z.strictObject({ url: field.webUrlTemplate, label: text(200), description: note(500) }),
}

/** What visitors fill in and send. All of it is one form. */
const form = {
  form_text: z.strictObject({
    ...formField,
    placeholder,
    min: length(TEXT_LENGTH_MAX),
    max: length(TEXT_LENGTH_MAX),
    pattern: field
      .text(1, 200)
      .nullable()
      .default(null)
      .describe('A regular expression that the whole text must match. Without look-around and back-references.'),
  }),
  form_textarea: z.strictObject({
    ...formField,
    placeholder,
    min: length(LONG_TEXT_LENGTH_MAX),
    max: length(LONG_TEXT_LENGTH_MAX),
    rows: z.int().min(2).max(20).default(4),
  }),
  form_email: z.strictObject({ ...formField, placeholder }),
  form_phone: z.strictObject({ ...formField, placeholder }),
  form_number: z.strictObject({
    ...formField,
    placeholder,
    min: number,
    max: number,
    step: z.number().min(1e-9).max(1e9).nullable().default(null),
  }),
  form_select: z.strictObject({ ...formField, placeholder, options }),
  form_radio: z.strictObject({ ...formField, options }),
  form_switch: z.strictObject({ ...formField, default: z.boolean().default(false) }),
  form_checkbox: z.strictObject({
    ...formField,
    options,
    min: z.int().min(0).max(200).nullable().default(null).describe('How many must be chosen, at least.'),
    max: z.int().min(1).max(200).nullable().default(null).describe('How many may be chosen, at most.'),
  }),
  form_rating: z.strictObject({ ...formField, max: z.int().min(3).max(10).default(5) }),
  form_date: z.strictObject({ ...formField, min: date, max: date }),
  form_hidden: z.strictObject({
    name,
    value: field
      .text(0, 500)
      .meta({ examples: ['poster'] })
      .default(''),
    query_param: z
      .string()
      .regex(NAME, { error: NAME_ERROR })
      .nullable()
      .default(null)
      .describe("Takes the value from this parameter of the visitor's address, if it has one."),
  }),
  form_media: z.strictObject({
    ...formField,
    accept: z
      .array(
        choice({ image: 'Photos and other images.', video: 'Videos.', audio: 'Recordings.', pdf: 'PDF documents.' }),
      )
      .min(1)
      .max(4)
      .default(['image']),
    max_files: z.int().min(1).max(FILES_MAX).default(3),
    max_size_mb: z.int().min(1).max(FILE_MEGABYTES_MAX).default(10).describe('Of each file.'),
  }),
  form_submit: z.strictObject({
    label: text(100),
    style,
    success_title: note(200),
    success_text: note(2000),
    success_url: url.describe('Where to send the visitor afterwards.'),
  }),
}

const spacing = z.int().min(0).max(200)
const spacings = {
  spacing_top: spacing.default(0),
  spacing_bottom: spacing.default(16),
  spacing_left: spacing.default(0),
  spacing_right: spacing.default(0),
}

/** One schema per type, told apart by `type`. */
function union<Configs extends Record<string, z.ZodType>, Ids extends z.core.$ZodLooseShape>(
  configs: Configs,
  ids: Ids,
) {
  type Member<Type extends keyof Configs & string> = z.ZodObject<
    { type: z.ZodLiteral<Type>; config: Configs[Type] } & typeof spacings & Ids,
    z.core.$strict
  >
  const members = Object.entries(configs).map(([type, config]) =>
    z.strictObject({ ...ids, type: z.literal(type), config: config.meta({ id: componentName(type) }), ...spacings }),
  )
  return z.discriminatedUnion(
    'type',
    members as unknown as [{ [Type in keyof Configs & string]: Member<Type> }[keyof Configs & string]],
    { error: ({ input }) => (hasType(input) ? undefined : `Must have a type of ${Object.keys(configs).join(', ')}`) },
  )
}

const hasType = (sent: unknown): boolean => (sent as { type?: unknown } | null)?.type !== undefined

/** `form_text` becomes `FormTextConfig`. */
const componentName = (type: string): string =>
  `${type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Config`

const blockConfigs = { ...content, button: buttonConfig(Destination.nullable()), ...links, ...form }
const inputConfigs = { ...content, button: buttonConfig(DestinationInput.optional()), ...links, ...form }

export type BlockType = keyof typeof blockConfigs

export const Block = union(blockConfigs, { id: field.id, sort_order: z.int().min(0) }).meta({
  id: 'Block',
  description: 'A part of a page. `config` depends on `type`.',
})
export type Block = z.output<typeof Block>
export type BlockOf<Type extends BlockType> = Extract<Block, { type: Type }>

/** In a request, an id keeps a block that the page has already. OpenAPI calls it `BlockInput`, as it differs from `Block`. */
export const BlockInput = union(inputConfigs, {
  id: field.id.optional().describe('Of a block that the page has already. Omit it for a new one.'),
}).meta({ id: 'Block', description: 'A part of a page. `config` depends on `type`.' })
export type BlockInput = z.output<typeof BlockInput>

/** A block that belongs to no page yet. */
export const TemplateBlock = union(blockConfigs, {}).meta({
  id: 'TemplateBlock',
  description: 'A block of a new page. `config` depends on `type`.',
})
export type TemplateBlock = z.output<typeof TemplateBlock>

const BLOCKS_MAX = 100

const BYTES_MAX = 256 * 1024
/** All fields of all types, and more languages than a page may have. */
const KEYS_MAX = 200

/**
 * The size comes first: to describe every mistake in a megabyte takes more than a second, and to look at thousands of language
 * tags takes half a second.
 */
export const BlockList = z.preprocess((sent, context) => {
  const problem = findExcess(JSON.stringify(sent) ?? '')
  if (problem === undefined) return sent
  context.addIssue({ code: 'custom', message: problem })
  return z.NEVER
}, z.array(BlockInput).max(BLOCKS_MAX))

function findExcess(json: string): string | undefined {
  if (Buffer.byteLength(json) > BYTES_MAX) return 'Must be at most 256 KiB as JSON'
  const keys = new Set(json.match(/"[^"\\]*"(?=:)/g))
  return keys.size > KEYS_MAX
    ? `Must have texts in at most ${LANGUAGES_MAX} languages, and no unknown fields`
    : undefined
}
