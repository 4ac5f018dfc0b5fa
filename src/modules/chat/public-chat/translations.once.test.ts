/** Visitors read what a chatbot says in their language, and each text in its own direction. */
import { expect, test } from 'vitest'
import { ChatPage } from '../../../testing/chat-page.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })

const TEXTS = {
  welcome_message: 'Hello!',
  welcome_subtitle: 'Ask about your machine',
  suggestions: ['How do I descale it?'],
  away_message: 'Back on Monday',
  default_language: 'en',
  office_hours: { time_zone: 'UTC', days: {} },
  translations: {
    de: {
      welcome_message: 'Hallo!',
      welcome_subtitle: 'Fragen Sie',
      suggestions: ['Wie entkalke ich sie?'],
      away_message: 'Am Montag wieder',
    },
    ar: { welcome_message: 'Acme ترحب بكم' },
    cs: { welcome_message: 'Dobrý den', away_message: 'V pondělí jsme zpět' },
  },
}

async function visit(more: object = {}) {
  const acme = await harness.createTenant()
  const bot = await createBot(acme, { ...TEXTS, ...more })
  const page = new ChatPage(harness, bot)
  const open = (language: string, path = '') => page.open(page.path + path, { 'accept-language': language })
  return { acme, bot, page, open }
}

test('greeting, subtitle, suggestions and away text are in the language of the visitor', async () => {
  const { open } = await visit()
  for (const text of [await open('de'), await open('en', '?lang=de'), await open('de', '/frame')]) {
    for (const shown of ['Hallo!', 'Fragen Sie', 'Wie entkalke ich sie?', 'Am Montag wieder'])
      expect(text).toContain(shown)
    for (const shown of ['Hello!', 'How do I', 'Back on Monday']) expect(text).not.toContain(shown)
  }
  // The page has no Japanese text of the chatbot.
  expect(await open('ja')).toContain('<h2 dir="auto" lang="en">Hello!</h2>')
})

test('each text has its own direction and language, whatever the page has', async () => {
  const { open } = await visit()
  const arabic = await open('ar')
  expect(arabic).toContain('<html lang="ar" dir="rtl">')
  expect(arabic).toContain('<h2 dir="rtl">Acme ترحب بكم</h2>')
  expect(arabic).toContain('<p dir="auto" lang="en">Ask about your machine</p>')
  expect(arabic).toContain('value="How do I descale it?" dir="auto" lang="en"')
  const { open: openOther } = await visit({
    welcome_message: 'Acme ترحب بكم',
    default_language: 'ar',
    translations: {},
  })
  expect(await openOther('en')).toContain('<h2 dir="rtl" lang="ar">Acme ترحب بكم</h2>')
  const { open: openUnknown } = await visit({ default_language: null, translations: {} })
  expect(await openUnknown('ar')).toContain('<h2 dir="auto">Hello!</h2>')
})

test('a language that the page is not available in is kept through forms, and in the notice that is stored', async () => {
  const { acme, page, open } = await visit()
  expect(await open('cs')).toContain('<h2 dir="auto" lang="cs">Dobrý den</h2>')
  await page.send('agent', {}, { 'accept-language': 'cs' })
  expect(await open('cs', '?lang=en')).toContain('Dobrý den')
  const [{ id }] = (await acme.get('/v1/conversations')).body.data
  const [notice] = (await acme.get(`/v1/conversations/${id}/messages`)).body.data
  expect(notice).toMatchObject({ metadata: { notice: 'away' }, parts: [{ text: 'V pondělí jsme zpět' }] })
})

test('a change is shown at once, and pages say what they depend on', async () => {
  const { acme, bot, page, open } = await visit()
  expect(await open('de')).toContain('Hallo!')
  await acme.patch(`/v1/chatbots/${bot.id}`, { translations: { de: { welcome_message: 'Guten Tag!' } } })
  const text = await open('de')
  expect(text).toContain('Guten Tag!')
  expect(text).toContain('Ask about your machine')
  const { headers } = await page.request('GET', page.path)
  expect(headers.get('vary')).toMatch(/accept-language/)
  expect(headers.get('cache-control')).toBe('private, no-store')
})
