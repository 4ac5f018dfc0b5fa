import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Language } from '../languages/contract.ts'

export const PUBLIC_SLUG_LENGTH = 12

const name = field.name(200).meta({ examples: ['Care guide'] })
const slug = field.slug.describe('What you call it in your own addresses and programs.')
const description = field.text(0, 2000).meta({ examples: ['How to look after your furniture'] })
const isPublished = z
  .boolean()
  .meta({ description: 'Whether visitors can read it. False when it is new.', examples: [true] })

/** A help centre: articles in categories, under an address of its own. */
export const KnowledgeBase = z
  .object({
    object: z.literal('knowledge_base'),
    id: field.id,
    name,
    slug: slug.describe('Unique in your organisation.'),
    public_slug: z
      .string()
      .regex(new RegExp(`^[0-9A-Za-z]{${PUBLIC_SLUG_LENGTH}}$`))
      .meta({ description: 'Never changes and is never given to another.', examples: ['k7Qm2XvB9sTe'] }),
    url: z.string().meta({
      format: 'uri',
      description: 'Where visitors find it.',
      examples: ['https://go.acme.com/kb/k7Qm2XvB9sTe'],
    }),
    description: description.nullable(),
    logo_url: field.httpsUrl.nullable(),
    primary_color: field.hexColor.nullable(),
    is_published: isPublished,
    default_language: Language.describe('The language that it is in. `en` unless you say otherwise.'),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'KnowledgeBase', description: 'Articles in categories, for visitors to read under one address.' })
export type KnowledgeBase = z.infer<typeof KnowledgeBase>

const fields = {
  slug: slug.optional(),
  description: description.nullable().optional(),
  logo_url: field.httpsUrl.nullable().optional(),
  primary_color: field.hexColor.nullable().optional(),
  is_published: isPublished.optional(),
  default_language: Language.optional(),
}

export const KnowledgeBaseCreate = z
  .strictObject({
    name,
    ...fields,
    slug: fields.slug.describe('Made from the name when left out, with a number behind it where that is taken.'),
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
    about: 'Help centres for those who scan your things: articles in categories, each under an address of its own.',
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
          .describe('Only those that visitors can read, or only those that they cannot.'),
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
      description: 'Its address stays, whatever you change.',
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
        'Only when it is empty: no articles, no categories. What leads there is not changed: give it another destination first.',
      errors: ['conflict'],
    },
  },
)
