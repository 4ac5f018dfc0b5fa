import { z } from 'zod'
import { choice, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Language } from '../../../platform/contract/languages.ts'
import { INSUFFICIENT_CREDITS } from '../../account/credits/contract.ts'
import {
  ChatbotTranslations,
  ChatbotTranslationsInput,
  chatbotText,
  DefaultLanguage,
} from '../chatbot-texts/contract.ts'
import { OfficeHours } from '../office-hours/contract.ts'

export const ChatbotStatus = choice({
  draft: 'Not ready yet: visitors cannot reach it.',
  active: 'Visitors can reach it.',
  paused: 'Turned off for now: visitors cannot reach it.',
  archived: 'No longer used: visitors cannot reach it.',
}).meta({
  description: 'Visitors reach only `active` chatbots. You can ask a chatbot of any status with your API key.',
  examples: ['active'],
})
export type ChatbotStatus = z.infer<typeof ChatbotStatus>

export const Tone = choice({
  professional: 'Matter-of-fact and competent.',
  friendly: 'Warm and helpful.',
  casual: 'Relaxed, as among colleagues.',
  formal: 'Polite and reserved.',
  empathetic: 'Understanding, for people with a problem.',
}).meta({
  description: 'How the answers of a model sound. The embedded answerer quotes your articles as they are.',
  examples: ['friendly'],
})
export type Tone = z.infer<typeof Tone>

const IDS_MAX = 200

const name = field.name(200).meta({ examples: ['Support'] })
const slug = field.slug.describe('Your own name for it. Unique in your organisation.').meta({ examples: ['support'] })
const description = field
  .text(0, 2000)
  .meta({ description: 'A note for your team. Visitors do not see it.', examples: ['For the coffee machines'] })
const systemPrompt = field.text(1, 10_000).meta({
  description:
    'Instructions for the model. `{{object.<key>}}` stands for a property of the scanned object. The embedded answerer ignores it.',
  examples: ['You help owners of Acme coffee machines. The machine is {{object.colour}}.'],
})
const model = field.name(100).meta({
  description: 'The model that writes the answers. Null: the default of the installation. `embedded`: no model.',
  examples: ['embedded'],
})
const humanSupportEnabled = z
  .boolean()
  .meta({ description: 'Whether a visitor can ask for a person.', examples: [true] })
const webSearchEnabled = z.boolean().meta({
  description: 'Stored for you. Answers come only from your articles, so it has no effect on them.',
  examples: [false],
})
const ids = (of: string) =>
  z
    .array(field.id)
    .max(IDS_MAX, { error: `Must have at most ${IDS_MAX} ids` })
    .refine((list) => new Set(list).size === list.length, { error: 'Must not contain the same id twice' })
    .meta({ description: of, examples: [[]] })
const ONLY_THESE =
  'Without any article, category and knowledge base, the chatbot uses all published articles; otherwise only these.'
const pageIds = ids('Pages that belong to the chatbot, for your own use.')
const articleIds = ids(`Articles that it may use. ${ONLY_THESE}`)
const categoryIds = ids(`Categories whose articles it may use, with all categories below them. ${ONLY_THESE}`)
const knowledgeBaseIds = ids(`Knowledge bases whose articles it may use. ${ONLY_THESE}`)

const locationFields = {
  enabled: z.boolean(),
  address: field
    .name(500)
    .meta({ examples: ['1 Acme Street, London'] })
    .nullable(),
  lat: z.number().min(-90).max(90).nullable(),
  lng: z.number().min(-180).max(180).nullable(),
  place_id: field
    .name(300)
    .meta({ description: 'Your own ID of the place, or that of a map.', examples: ['acme-london'] })
    .nullable(),
}
export const Location = z.object(locationFields).meta({
  id: 'ChatbotLocation',
  description: 'A place that belongs to the chatbot, such as a shop.',
  examples: [{ enabled: true, address: '1 Acme Street, London', lat: 51.5, lng: -0.1, place_id: null }],
})
export type Location = z.infer<typeof Location>

const LocationInput = z
  .strictObject({
    enabled: locationFields.enabled.optional(),
    address: locationFields.address.optional(),
    lat: locationFields.lat.optional(),
    lng: locationFields.lng.optional(),
    place_id: locationFields.place_id.optional(),
  })
  .meta({ id: 'ChatbotLocationInput', description: 'Fields that you omit keep their value.' })

export const Chatbot = z
  .object({
    object: z.literal('chatbot'),
    id: field.id,
    name,
    slug,
    public_slug: field.publicSlug,
    url: z.string().meta({
      format: 'uri',
      description: 'The public address of the chat.',
      examples: ['https://go.acme.com/c/k7Qm2XvB9sTe'],
    }),
    status: ChatbotStatus,
    description: description.nullable(),
    welcome_message: chatbotText.welcome_message.nullable(),
    welcome_subtitle: chatbotText.welcome_subtitle.nullable(),
    system_prompt: systemPrompt.nullable(),
    model: model.nullable(),
    primary_color: field.hexColor.nullable(),
    logo_url: field.httpsUrl.nullable(),
    tone: Tone.nullable(),
    suggestions: chatbotText.suggestions.nullable(),
    human_support_enabled: humanSupportEnabled,
    password_protected: z.boolean().describe('Whether visitors need a password. It is never shown.'),
    page_ids: pageIds,
    article_ids: articleIds,
    category_ids: categoryIds,
    knowledge_base_ids: knowledgeBaseIds,
    location: Location,
    web_search_enabled: webSearchEnabled,
    office_hours: OfficeHours.nullable(),
    away_message: chatbotText.away_message.nullable(),
    default_language: DefaultLanguage.nullable(),
    translations: ChatbotTranslations,
    conversation_count: z.int().meta({ description: 'How many conversations it has had.', examples: [12] }),
    last_active_at: field.timestamp
      .nullable()
      .describe('When somebody last wrote to it, within a minute. Null if nobody has.'),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Chatbot', description: 'Answers the questions of visitors from your articles.' })
export type Chatbot = z.infer<typeof Chatbot>

const fields = {
  slug: slug.optional(),
  status: ChatbotStatus.optional(),
  description: description.nullable().optional(),
  welcome_message: chatbotText.welcome_message.nullable().optional(),
  welcome_subtitle: chatbotText.welcome_subtitle.nullable().optional(),
  system_prompt: systemPrompt.nullable().optional(),
  model: model.nullable().optional(),
  primary_color: field.hexColor.nullable().optional(),
  logo_url: field.httpsUrl.nullable().optional(),
  tone: Tone.nullable().optional(),
  suggestions: chatbotText.suggestions.nullable().optional(),
  human_support_enabled: humanSupportEnabled.optional(),
  password: field
    .text(1, 200)
    .nullable()
    .optional()
    .meta({
      description:
        'Visitors must enter it before they can chat. Null removes it. Stored as a hash, and never returned.',
      writeOnly: true,
      examples: ['lamp river seven'],
    }),
  page_ids: pageIds.optional(),
  article_ids: articleIds.optional(),
  category_ids: categoryIds.optional(),
  knowledge_base_ids: knowledgeBaseIds.optional(),
  location: LocationInput.optional(),
  web_search_enabled: webSearchEnabled.optional(),
  office_hours: OfficeHours.nullable().optional(),
  away_message: chatbotText.away_message.nullable().optional(),
  default_language: DefaultLanguage.nullable().optional(),
  translations: ChatbotTranslationsInput.optional(),
}

export const ChatbotCreate = z
  .strictObject({
    name,
    ...fields,
    slug: fields.slug.describe(
      'Your own name for it. Unique in your organisation. Defaults to the name as a slug, with a number if that is taken.',
    ),
    status: fields.status.describe('Visitors reach only `active` chatbots. Defaults to `draft`.'),
  })
  .meta({ id: 'ChatbotCreate' })
export type ChatbotCreate = z.output<typeof ChatbotCreate>

export const ChatbotUpdate = z.strictObject({ name: name.optional(), ...fields }).meta({ id: 'ChatbotUpdate' })
export type ChatbotUpdate = z.output<typeof ChatbotUpdate>

export const Question = z
  .strictObject({
    question: field.name(2000).meta({ examples: ['How do I descale the machine?'] }),
    language: Language.optional().describe('The language of the answer. Defaults to the language of the question.'),
  })
  .meta({ id: 'Question' })
export type Question = z.output<typeof Question>

const Citation = z
  .object({
    article_id: field.id,
    version_number: z.int().meta({ examples: [3] }),
    title: z.string().meta({ examples: ['Descaling'] }),
    url: z.string().meta({
      description: 'The address of the article in the help centre. Empty if visitors cannot read it there.',
      examples: ['https://go.acme.com/kb/k7Qm2XvB9sTe/en/descaling'],
    }),
    snippet: z.string().meta({
      description: 'The beginning of the passage that the answer uses.',
      examples: ['Descale the machine every three months.'],
    }),
  })
  .meta({ id: 'Citation' })

export const Answered = z
  .object({
    object: z.literal('answer'),
    text: z.string().meta({ description: 'Markdown.', examples: ['Descale the machine every three months.'] }),
    citations: z.array(Citation).describe('The articles that the answer is from. Empty if there is no answer.'),
    model: z.string().meta({ description: '`embedded`, or the name of the model.', examples: ['embedded'] }),
    credits_used: z.int().meta({ examples: [1] }),
    corrected_question: z
      .string()
      .nullable()
      .meta({
        description:
          'The question without its misspelt words, if the answer is for that. The text then begins with "Did you mean". Otherwise null.',
        examples: [null],
      }),
  })
  .meta({ id: 'Answer', description: 'An answer from your articles, or that there is none.' })
export type Answered = z.infer<typeof Answered>

export const chatbots = operations(
  {
    name: 'chatbots',
    title: 'Chatbots',
    about:
      'Chatbots answer the questions of visitors from your published articles, and name the articles. Each has its own public address.',
    area: 'chatbots',
  },
  {
    list: {
      method: 'GET',
      path: '/chatbots',
      summary: 'List chatbots',
      description:
        'A page can have at most 4 MiB of text; otherwise the response is 400, and you need a smaller `page_size`.',
      query: offsetQuery({
        status: ChatbotStatus.optional().describe('Only chatbots with this status.'),
        sort: choice({ recent: 'Newest first.', name: 'By name.' })
          .default('recent')
          .describe('The order of the list.'),
        search: field.search,
      }),
      offset: Chatbot,
    },
    create: {
      method: 'POST',
      path: '/chatbots',
      summary: 'Create a chatbot',
      body: ChatbotCreate,
      created: Chatbot,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({
        name: `Support ${n}`,
        status: 'active',
        welcome_message: 'How can we help?',
        suggestions: ['How do I descale the machine?'],
        human_support_enabled: true,
      }),
    },
    get: { method: 'GET', path: '/chatbots/{id}', summary: 'Get a chatbot', ok: Chatbot },
    update: {
      method: 'PATCH',
      path: '/chatbots/{id}',
      summary: 'Change a chatbot',
      description: 'Lists of ids are replaced as a whole. The public address never changes.',
      body: ChatbotUpdate,
      ok: Chatbot,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Help ${n}`, tone: 'friendly' }),
    },
    delete: {
      method: 'DELETE',
      path: '/chatbots/{id}',
      summary: 'Delete a chatbot',
      description:
        'Its conversations are kept. QR codes that link to it keep that destination, so change them first. The public address is never reused.',
    },
    ask: {
      method: 'POST',
      path: '/chatbots/{id}/ask',
      summary: 'Ask a chatbot',
      description:
        'Answers one question, without a conversation. It costs credits: `credits_used`. Send an `Idempotency-Key` to pay once for a request that you repeat.',
      body: Question,
      ok: Answered,
      errors: [INSUFFICIENT_CREDITS],
      example: (n) => ({ question: `How do I clean the machine, step ${n}?` }),
    },
  },
)
