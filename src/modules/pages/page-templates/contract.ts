import { z } from 'zod'
import { choice, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Language } from '../../../platform/contract/languages.ts'
import { TemplateBlock } from '../blocks/contract.ts'

export const TemplateName = choice({
  'warranty-registration': 'A form with which customers register a product for its warranty.',
  'fault-report': 'A form for reporting a fault, with photos.',
  feedback: 'A rating and a comment.',
  'event-sign-up': 'A form for signing up for an event.',
  'product-information': 'Texts, images and files about a product.',
  'contact-card': 'How to reach a person or a department.',
}).meta({ examples: ['fault-report'] })
export type TemplateName = z.infer<typeof TemplateName>

/** Templates are the same in every installation, and so are their ids. */
export const TEMPLATE_IDS: Record<TemplateName, string> = {
  'warranty-registration': '019a7c00-0000-7000-8001-000000000001',
  'fault-report': '019a7c00-0000-7000-8001-000000000002',
  feedback: '019a7c00-0000-7000-8001-000000000003',
  'event-sign-up': '019a7c00-0000-7000-8001-000000000004',
  'product-information': '019a7c00-0000-7000-8001-000000000005',
  'contact-card': '019a7c00-0000-7000-8001-000000000006',
}

const inAllLanguages = (max: number, example: string) =>
  z.partialRecord(Language, field.name(max).meta({ examples: [example] })).meta({ examples: [{ en: example }] })

export const PageTemplate = z
  .object({
    object: z.literal('page_template'),
    id: field.id,
    name: TemplateName.describe('The name to send as `template` when you create a page.'),
    title: inAllLanguages(200, 'Report a fault').describe('A title for the page, by language.'),
    description: inAllLanguages(500, 'People report a problem with a machine or a place, with photos.').describe(
      'What the template is for, by language.',
    ),
  })
  .meta({ id: 'PageTemplate', description: 'Blocks to start a page from.' })

export const PageTemplateWithBlocks = PageTemplate.extend({
  blocks: z.array(TemplateBlock).describe('Their texts are in all languages.'),
}).meta({ id: 'PageTemplateWithBlocks', description: 'A template with its blocks.' })
export type PageTemplateWithBlocks = z.output<typeof PageTemplateWithBlocks>

export const pageTemplates = operations(
  {
    name: 'page-templates',
    title: 'Page templates',
    about: 'Pages to start from. Create a page with the `name` of a template, then change what you like.',
    area: 'pages',
  },
  {
    list: {
      method: 'GET',
      path: '/page-templates',
      summary: 'List page templates',
      description: 'Without `blocks`. The templates are the same in every organisation.',
      query: offsetQuery({}),
      offset: PageTemplate,
    },
    get: { method: 'GET', path: '/page-templates/{id}', summary: 'Get a page template', ok: PageTemplateWithBlocks },
  },
)
