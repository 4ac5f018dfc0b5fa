import { z } from 'zod'
import { field } from '../../../platform/contract/index.ts'
import { Language } from '../../../platform/contract/languages.ts'
import { Destination, DestinationInput } from '../../codes/destinations/contract.ts'

/** A text for all visitors, or one text per language. */
export type Text = string | Partial<Record<Language, string>>

const inLanguages = (text: z.ZodType<string>, max: number) =>
  z
    .union([text, z.partialRecord(Language, text).refine((texts) => Object.keys(texts).length > 0)], {
      error: `Must be a text of at most ${max} characters, or an object of such texts by language, such as {"en": "…", "de": "…"}`,
    })
    .meta({ examples: ['Report a fault', { en: 'Report a fault', de: 'Störung melden' }] })

/** Trimmed, never blank. */
const label = (max: number) => inLanguages(field.name(max), max)
const note = (max: number) => inLanguages(field.text(1, max), max).nullable().default(null)
const color = field.hexColor.nullable().default(null)
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values).default(values[0])

const alignment = oneOf(['left', 'center', 'right'])
const style = oneOf(['primary', 'secondary', 'outline'])

/** How a form field is called in submissions of older and newer versions of the page. */
const name = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'Must be 1 to 64 of the characters A-Z a-z 0-9 _ . -' })
  .describe('Your own name for the field. Unique on the page.')

const formField = {
  label: label(300),
  name,
  required: z.boolean().default(false),
  help: note(1000),
}
const placeholder = note(200)

const length = (max: number) => z.int().min(0).max(max).nullable().default(null)
const number = z.number().min(-1e15).max(1e15).nullable().default(null)
const date = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, { error: 'Must be a date such as 2026-06-09' })
  .nullable()
  .default(null)

const option = z.strictObject({ value: field.name(200), label: label(300) })
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
export const FILES_MAX = 10
export const FILE_MEGABYTES_MAX = 15

const configs = <D extends z.ZodType>(destination: D) => ({
  heading: z.strictObject({ text: label(300), level: z.int().min(1).max(6).default(2), alignment, color }),
  text: z.strictObject({
    text: inLanguages(field.text(1, 10_000), 10_000).describe('Markdown.'),
    alignment,
    color,
  }),
  image: z.strictObject({
    url: field.webUrl,
    alt: note(500).describe('What the image shows, for people who cannot see it. Null if it is decoration.'),
    caption: note(500),
    link_url: field.webUrl.nullable().default(null),
    width: oneOf(['full', 'medium', 'small']),
  }),
  video: z.strictObject({
    url: field.webUrl.describe('A video file plays on the page. Any other address is shown as a link.'),
    title: label(300),
    poster_url: field.webUrl.nullable().default(null),
    caption: note(500),
  }),
  divider: z.strictObject({ style: oneOf(['line', 'dots', 'space']), color }),
  banner: z.strictObject({
    text: label(1000),
    title: note(200),
    kind: oneOf(['info', 'success', 'warning', 'danger']),
  }),
  button: z
    .strictObject({ label: label(100), url: field.webUrl.nullable().default(null), destination, style })
    .refine((config) => {
      const { url, destination } = config as { url: string | null; destination?: unknown }
      return (url === null) !== ((destination ?? null) === null)
    }, 'Must have either url or destination'),
  contact: z.strictObject({
    name: field.name(200),
    organisation: field.text(1, 200).nullable().default(null),
    job_title: note(200),
    phone: field.text(1, 50).nullable().default(null),
    email: z.email({ error: 'Must be an email address' }).max(254).nullable().default(null),
    website: field.webUrl.nullable().default(null),
    address: field.text(1, 500).nullable().default(null),
  }),
  file: z.strictObject({ url: field.webUrl, label: label(200), description: note(500) }),
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
    value: field.text(0, 500).default(''),
    query_param: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,64}$/)
      .nullable()
      .default(null)
      .describe("Takes the value from this parameter of the visitor's address, if it has one."),
  }),
  form_media: z.strictObject({
    ...formField,
    accept: z
      .array(z.enum(['image', 'video', 'audio', 'pdf']))
      .min(1)
      .max(4)
      .default(['image']),
    max_files: z.int().min(1).max(FILES_MAX).default(3),
    max_size_mb: z.int().min(1).max(FILE_MEGABYTES_MAX).default(10).describe('Of each file.'),
  }),
  form_submit: z.strictObject({
    label: label(100),
    style,
    success_title: note(200),
    success_text: note(2000),
    success_url: field.webUrl.nullable().default(null).describe('Where to send the visitor afterwards.'),
  }),
})

type Configs = ReturnType<typeof configs<z.ZodNullable<typeof Destination>>>
export type BlockType = keyof Configs

const spacing = z.int().min(0).max(200)
const spacings = {
  spacing_top: spacing.default(0),
  spacing_bottom: spacing.default(16),
  spacing_left: spacing.default(0),
  spacing_right: spacing.default(0),
}

/** One schema per type, told apart by `type`. */
function union<D extends z.ZodType, Ids extends z.core.$ZodLooseShape>(destination: D, ids: Ids) {
  const schemas = configs(destination)
  type Schemas = typeof schemas
  type Member<Type extends keyof Schemas> = z.ZodObject<
    { type: z.ZodLiteral<Type>; config: Schemas[Type] } & typeof spacings & Ids,
    z.core.$strict
  >
  const members = Object.entries(schemas).map(([type, config]) =>
    z.strictObject({ ...ids, type: z.literal(type), config, ...spacings }),
  )
  return z.discriminatedUnion(
    'type',
    members as unknown as [{ [Type in keyof Schemas]: Member<Type> }[keyof Schemas]],
    {
      error: `Must have a type of ${Object.keys(schemas).join(', ')}`,
    },
  )
}

export const Block = union(Destination.nullable(), { id: field.id, sort_order: z.int() }).meta({
  id: 'Block',
  description: 'A part of a page. `config` depends on `type`.',
})
export type Block = z.output<typeof Block>
export type BlockOf<Type extends BlockType> = Extract<Block, { type: Type }>

/** In a request, an id keeps a block that the page has already. */
export const BlockInput = union(DestinationInput.optional(), {
  id: field.id.optional().describe('Of a block that the page has already. Omit it for a new one.'),
}).meta({ id: 'BlockInput', description: 'A part of a page. `config` depends on `type`.' })
export type BlockInput = z.output<typeof BlockInput>

const BLOCKS_MAX = 100

export const BlockList = z.array(BlockInput).max(BLOCKS_MAX)
