import { expect, test } from 'vitest'
import { ChatPage, createArticles } from '../../../testing/chat-page.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { scan } from '../../../testing/data/scans.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })
const GERMAN = { 'accept-language': 'de-DE,de;q=0.9' }

test('from a scanned product to the reply of a person, in German', async () => {
  const acme = await harness.createTenant()
  const centre = await createArticles(harness, acme)
  const bot = await createBot(acme, { name: 'Acme' })
  const { body: product } = await acme.post('/v1/products', {
    name: 'Eichentisch "Tölz"',
    gtin: '9506000134352',
    destination: { chatbot: bot.id },
  })
  const { headers } = await scan(harness, `/g/${acme.slug}/01/09506000134352`)
  const { pathname, search } = new URL(headers.get('location') ?? '')
  const page = new ChatPage(harness, bot)
  expect(await page.open(pathname + search, GERMAN)).toContain('Sie haben gescannt: Eichentisch &quot;Tölz&quot;')

  await page.request(
    'POST',
    `${page.path}/messages?lang=de`,
    new URLSearchParams({ text: 'Wie oft soll ich ihn ölen, den Eichentisch?' }),
  )
  await page.open(page.path, GERMAN)
  expect(page.text).toContain('zweimal im Jahr')
  expect(page.text).toContain(`${centre.path}/de/`)

  const lost = 'Welche Farbe hat das Parkhaus am Flughafen?'
  await page.request('POST', `${page.path}/messages?lang=de`, new URLSearchParams({ text: lost }))
  await page.request('POST', `${page.path}/agent?lang=de`, new URLSearchParams({ contact_name: 'Kim' }))
  const stream = await page.listen()
  const [conversation] = (await acme.get('/v1/conversations')).body.data
  expect(conversation).toMatchObject({
    chatbot_id: bot.id,
    product_id: product.id,
    status: 'agent_requested',
    language: 'de',
    contact_name: 'Kim',
  })
  await acme.post(`/v1/conversations/${conversation.id}/messages`, { text: 'Guten Tag, hier ist Acme.' })
  await stream.until(({ texts }) => texts.some((text) => text.includes('hier ist Acme')))
  await stream.close()
  const { data } = (await acme.get(`/v1/chatbots/${bot.id}/unanswered`)).body
  expect(data).toMatchObject([{ question: lost, language: 'de', count: 1 }])
})
