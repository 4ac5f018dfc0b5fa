import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Language } from '../../../platform/contract/languages.ts'

const name = field.name(200).meta({ examples: ['Care guide'] })
const slug = field.slug.describe('Your own name for it. Unique in your organisation.')
const description = field.text(0, 2000).meta({ examples: ['How to look after your furniture'] })
const isPublished = z.boolean().meta({ description: 'Whether visitors can read it.', examples: [true] })

const DEFAULT_LANGUAGE = 'The language to use if none of the languages of a visitor is available.'
const defaultLanguage = Language.describe(DEFAULT_LANGUAGE)

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
    is_published: isPublished,
    default_language: defaultLanguage,
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
  is_published: isPublished.optional(),
  default_language: defaultLanguage.optional(),
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
  })
  .meta({ id: 'KnowledgeBaseCreate' })
export type KnowledgeBaseCreate = z.output<typeof KnowledgeBaseCreate>

export const KnowledgeBaseUpdate = z
  .strictObject({ name: name.optional(), ...fields })
  .meta({ id: 'KnowledgeBaseUpdate' })
export type KnowledgeBaseUpdate = z.output<typeof KnowledgeBaseUpdate>

export const knowledgeBases = operations(
  {
    name: 'knowledge-bases',
    title: 'Knowledge bases',
    about:
      'Help centres for people who scan your codes. Each holds articles in categories and has its own public address.',
    area: 'knowledge_bases',
  },
  {
    list: {
      method: 'GET',
      path: '/knowledge-bases',
      summary: 'List knowledge bases',
      description: 'Newest first.',
      query: offsetQuery({
        is_published: z
          .enum(['true', 'false'])
          .transform((text) => text === 'true')
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
  },
)
