import { LANGUAGES, type Language } from '../../../platform/contract/languages.ts'
import { TemplateBlock } from '../blocks/contract.ts'
import { type PageTemplateWithBlocks, TEMPLATE_IDS, TemplateName } from './contract.ts'
import { TEXTS, type Texts } from './texts.ts'

type Choose = (texts: Texts) => string

/** One text in all languages. */
const say = (choose: Choose) =>
  Object.fromEntries(LANGUAGES.map((language) => [language, choose(TEXTS[language])])) as Record<Language, string>

const block = (type: string, config: object) => ({ type, config })
const heading = (choose: Choose, level: number) => block('heading', { text: say(choose), level })
const text = (choose: Choose) => block('text', { text: say(choose) })
const field = (type: string, name: string, label: Choose, config: object = {}) =>
  block(`form_${type}`, { name, label: say(label), ...config })
const option = (value: string, label: Choose) => ({ value, label: say(label) })

const required = { required: true }
const name = (config: object = {}) => field('text', 'name', (texts) => texts.yourName, { max: 200, ...config })
const email = (config: object = {}) => field('email', 'email', (texts) => texts.yourEmail, config)
/** Used in forms that one can also send without saying who one is. */
const emailForReply = () => email({ help: say((texts) => texts.replyHelp) })

type Done = Record<'submit' | 'doneTitle' | 'doneText', string>

const submit = (choose: (texts: Texts) => Done) =>
  block('form_submit', {
    label: say((texts) => choose(texts).submit),
    success_title: say((texts) => choose(texts).doneTitle),
    success_text: say((texts) => choose(texts).doneText),
  })

interface Source {
  texts: (texts: Texts) => { title: string; description: string }
  blocks: () => object[]
}

const SOURCES: Record<TemplateName, Source> = {
  'warranty-registration': {
    texts: ({ warranty }) => warranty,
    blocks: () => [
      heading(({ warranty }) => warranty.title, 1),
      text(({ warranty }) => warranty.intro),
      name(required),
      email(required),
      field('text', 'serial_number', ({ warranty }) => warranty.serialNumber, {
        ...required,
        max: 100,
        help: say(({ warranty }) => warranty.serialNumberHelp),
      }),
      field('date', 'purchase_date', ({ warranty }) => warranty.purchaseDate, required),
      field('text', 'dealer', ({ warranty }) => warranty.dealer, { max: 200 }),
      field('media', 'receipt', ({ warranty }) => warranty.receipt, {
        accept: ['image', 'pdf'],
        max_files: 1,
        help: say(({ warranty }) => warranty.receiptHelp),
      }),
      submit(({ warranty }) => warranty),
    ],
  },
  'fault-report': {
    texts: ({ fault }) => fault,
    blocks: () => [
      heading(({ fault }) => fault.title, 1),
      text(({ fault }) => fault.intro),
      field('textarea', 'what', ({ fault }) => fault.what, {
        ...required,
        placeholder: say(({ fault }) => fault.whatExample),
      }),
      field('radio', 'usable', ({ fault }) => fault.usable, {
        options: [
          option('yes', ({ yes }) => yes),
          option('partly', ({ fault }) => fault.partly),
          option('no', ({ no }) => no),
        ],
      }),
      field('media', 'photos', ({ fault }) => fault.photos, {
        accept: ['image', 'video'],
        help: say(({ fault }) => fault.photosHelp),
      }),
      name(),
      emailForReply(),
      submit(({ fault }) => fault),
    ],
  },
  feedback: {
    texts: ({ feedback }) => feedback,
    blocks: () => [
      heading(({ feedback }) => feedback.title, 1),
      text(({ feedback }) => feedback.intro),
      field('rating', 'rating', ({ feedback }) => feedback.rating, required),
      field('radio', 'recommend', ({ feedback }) => feedback.recommend, {
        options: [
          option('yes', ({ yes }) => yes),
          option('maybe', ({ feedback }) => feedback.maybe),
          option('no', ({ no }) => no),
        ],
      }),
      field('textarea', 'better', ({ feedback }) => feedback.better),
      emailForReply(),
      submit(({ feedback }) => feedback),
    ],
  },
  'event-sign-up': {
    texts: ({ event }) => event,
    blocks: () => [
      heading(({ event }) => event.title, 1),
      text(({ event }) => event.intro),
      name(required),
      email(required),
      field('number', 'guests', ({ event }) => event.guests, { ...required, min: 1, max: 20, step: 1 }),
      field('text', 'food', ({ event }) => event.food, { placeholder: say(({ event }) => event.foodExample) }),
      field('textarea', 'message', ({ event }) => event.message),
      submit(({ event }) => event),
    ],
  },
  'product-information': {
    texts: ({ product }) => product,
    blocks: () => [
      heading(({ product }) => product.heading, 1),
      text(({ product }) => product.intro),
      heading(({ product }) => product.start, 2),
      text(({ product }) => product.startText),
      heading(({ product }) => product.care, 2),
      text(({ product }) => product.careText),
      heading(({ product }) => product.disposal, 2),
      text(({ product }) => product.disposalText),
    ],
  },
  'contact-card': {
    texts: ({ contact }) => contact,
    blocks: () => [
      heading(({ contact }) => contact.title, 1),
      text(({ contact }) => contact.intro),
      block('contact', {
        name: 'Acme',
        job_title: say(({ contact }) => contact.job),
        email: 'service@acme.example',
        website: 'https://acme.example',
      }),
    ],
  },
}

const toTemplate = (name: TemplateName): PageTemplateWithBlocks => {
  const { texts, blocks } = SOURCES[name]
  return {
    object: 'page_template',
    id: TEMPLATE_IDS[name],
    name,
    title: say((all) => texts(all).title),
    description: say((all) => texts(all).description),
    blocks: blocks().map((source) => TemplateBlock.parse(source)),
  }
}

let templates: ReadonlyMap<TemplateName, PageTemplateWithBlocks> | undefined

/** Built on the first call, because most processes never need them. */
export function listTemplates(): ReadonlyMap<TemplateName, PageTemplateWithBlocks> {
  templates ??= new Map(TemplateName.options.map((name) => [name, toTemplate(name)]))
  return templates
}

export const getTemplate = (name: TemplateName): PageTemplateWithBlocks =>
  listTemplates().get(name) as PageTemplateWithBlocks
