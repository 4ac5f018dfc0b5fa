import { z } from 'zod'
import { type Family, field, offsetQuery, operations, queryBoolean } from '../../../platform/contract/index.ts'
import { byLanguage, ContentLanguage, LANGUAGES_MAX } from '../../../platform/contract/languages.ts'

const name = field.name(200).meta({ examples: ['Care guide'] })
const slug = field.slug.describe('Your own name for it. Unique in your organisation.')
const description = field.text(0, 2000).meta({ examples: ['How to look after your furniture'] })
const isPublished = z.boolean().meta({ description: 'Whether visitors can read it.', examples: [true] })

const contactEmail = z
  .email({ error: 'Must be an email address of at most 254 characters' })
  .max(254, { error: 'Must be an email address of at most 254 characters' })
  .meta({
    description: 'Shown to visitors in the footer, and where they do not find what they look for.',
    examples: ['help@acme.com'],
  })
const contactPhone = z
  .string()
  .regex(/^\+?[\d ()./-]{3,40}$/, {
    error: 'Must be a phone number such as +49 30 1234567: up to 40 digits, spaces and ( ) . / -',
  })
  .meta({ description: 'Shown to visitors like `contact_email`.', examples: ['+49 30 1234567'] })

const EVERYDAY_SYNONYMS =
  'Whether searches and chatbots also find everyday synonyms: `fingerprint` finds "Face ID". Articles with the words as ' +
  'they were typed come first.'
const everydaySynonyms = z.boolean().meta({ description: EVERYDAY_SYNONYMS, examples: [true] })

const DEFAULT_LANGUAGE =
  'The language to use if none of the languages of a visitor is available. The names of the knowledge base and its categories are in it.'
const defaultLanguage = ContentLanguage.describe(DEFAULT_LANGUAGE)

/** A list has at most 100 of them, and a page of a help centre 60. */
const TRANSLATIONS_BYTES_MAX = 24 * 1024

const translatedName = { name: field.name(200).meta({ examples: ['Pflegeanleitung'] }) }
const translatedDescription = field
  .text(0, 2000)
  .nullable()
  .meta({ examples: ['So pflegen Sie Ihre Möbel'] })

/** The names of a knowledge base or a category in other languages. */
export const NameTranslations = byLanguage(z.object({ ...translatedName, description: translatedDescription })).meta({
  description: 'The name and the description in other languages than the default language of the knowledge base.',
  examples: [{ de: { name: 'Pflegeanleitung', description: null } }],
})
export type NameTranslations = z.output<typeof NameTranslations>

export const NameTranslationsInput = byLanguage(
  z.strictObject({ ...translatedName, description: translatedDescription.default(null) }),
)
  .refine((sent) => Buffer.byteLength(JSON.stringify(sent)) <= TRANSLATIONS_BYTES_MAX, {
    error: 'Must be at most 24 KiB as JSON',
  })
  .meta({
    description: `The name and the description in other languages, by language: at most ${LANGUAGES_MAX}, and 24 KiB as JSON. Replaces the previous object.`,
    examples: [{ de: { name: 'Pflegeanleitung' } }],
  })

export const KnowledgeBase = z
  .object({
    object: z.literal('knowledge_base'),
    id: field.id,
    name,
    slug,
    public_slug: field.publicSlug,
    url: z.string().meta({
      format: 'uri',
      description: 'The public address of the help centre.',
      examples: ['https://go.acme.com/kb/k7Qm2XvB9sTe'],
    }),
    description: description.nullable(),
    logo_url: field.httpsUrl.nullable(),
    primary_color: field.hexColor.nullable(),
    contact_email: contactEmail.nullable(),
    contact_phone: contactPhone.nullable(),
    is_published: isPublished,
    default_language: defaultLanguage,
    everyday_synonyms: everydaySynonyms,
    translations: NameTranslations,
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'KnowledgeBase', description: 'A help centre: articles in categories, published at one address.' })
export type KnowledgeBase = z.infer<typeof KnowledgeBase>

const fields = {
  slug: slug.optional(),
  description: description.nullable().optional(),
  logo_url: field.httpsUrl.nullable().optional(),
  primary_color: field.hexColor.nullable().optional(),
  contact_email: contactEmail.nullable().optional(),
  contact_phone: contactPhone.nullable().optional(),
  is_published: isPublished.optional(),
  default_language: defaultLanguage.optional(),
  everyday_synonyms: everydaySynonyms.optional(),
  translations: NameTranslationsInput.optional(),
}

export const KnowledgeBaseCreate = z
  .strictObject({
    name,
    ...fields,
    slug: fields.slug.describe(
      'Your own name for it. Unique in your organisation. Defaults to the name as a slug, with a number if that is ' +
        'taken.',
    ),
    is_published: fields.is_published.describe('Whether visitors can read it. Defaults to false.'),
    default_language: fields.default_language.describe(`${DEFAULT_LANGUAGE} Defaults to \`en\`.`),
    everyday_synonyms: fields.everyday_synonyms.describe(`${EVERYDAY_SYNONYMS} Defaults to true.`),
  })
  .meta({ id: 'KnowledgeBaseCreate' })
export type KnowledgeBaseCreate = z.output<typeof KnowledgeBaseCreate>

export const KnowledgeBaseUpdate = z
  .strictObject({ name: name.optional(), ...fields })
  .meta({ id: 'KnowledgeBaseUpdate' })
export type KnowledgeBaseUpdate = z.output<typeof KnowledgeBaseUpdate>

export const knowledgeBaseFamily: Family = {
  name: 'knowledge-bases',
  title: 'Knowledge bases',
  about:
    'Help centres for people who scan your codes. Each holds articles in categories and has its own public address.',
  area: 'knowledge_bases',
}

export const knowledgeBases = operations(knowledgeBaseFamily, {
  list: {
    method: 'GET',
    path: '/knowledge-bases',
    summary: 'List knowledge bases',
    description: 'Newest first.',
    query: offsetQuery({
      is_published: queryBoolean()
        .optional()
        .describe('`true`: only published knowledge bases. `false`: only unpublished ones.'),
    }),
    offset: KnowledgeBase,
  },
  create: {
    method: 'POST',
    path: '/knowledge-bases',
    summary: 'Create a knowledge base',
    body: KnowledgeBaseCreate,
    created: KnowledgeBase,
    errors: ['conflict'],
    example: (n) => ({ name: `Care guide ${n}`, primary_color: '#1a2b3c', default_language: 'en' }),
  },
  get: { method: 'GET', path: '/knowledge-bases/{id}', summary: 'Get a knowledge base', ok: KnowledgeBase },
  update: {
    method: 'PATCH',
    path: '/knowledge-bases/{id}',
    summary: 'Change a knowledge base',
    description: 'The public address never changes.',
    body: KnowledgeBaseUpdate,
    ok: KnowledgeBase,
    errors: ['conflict'],
    example: (n) => ({ name: `Repair guide ${n}`, is_published: true }),
  },
  delete: {
    method: 'DELETE',
    path: '/knowledge-bases/{id}',
    summary: 'Delete a knowledge base',
    description:
      'Delete or move its articles and categories first; otherwise the response is 409. QR codes that link to it ' +
      'keep that destination, so change them first.',
    errors: ['conflict'],
  },
})
