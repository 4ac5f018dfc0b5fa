/** A command in an article is the same command wherever its answer goes. */
import { expect, test } from 'vitest'
import { ChatPage, waitForIndex } from '../../../testing/chat-page.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const COMMAND = 'frob connect --host <your-host> --token <token> | tee "<file>"'
const CONTENT = `To connect the frobnicator:

1. Run this:

   \`\`\`sh
   ${COMMAND}
   \`\`\`

2. Check that \`frob status <your-host>\` says **connected**, and set <your-port> if $p<q \\cdot 2$. Open https://<your-host>/admin.

| Exit status | Connect again |
|---|---|
| \`<0 \\| 1>\` | <5 s |`
const ESCAPED = CONTENT.replace('<your-port>', '\\<your-port>').replace('//<your-host>', '//\\<your-host>')
const SHOWN = [
  COMMAND,
  'frob status <your-host>',
  'set <your-port> if $p<q \\cdot 2$. Open https://<your-host>/admin.',
].map((text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))

test('code, tables, formulas and placeholders reach chats, programs and events byte by byte', async () => {
  const centre = await createCentre(harness)
  const acme = centre.tenant
  const { id } = await centre.article({ title: 'Connecting', content: CONTENT, slug: 'connecting' })
  await waitForIndex(acme, id)
  const article = await centre.read('/articles/connecting')
  for (const shown of SHOWN) expect(article.text).toContain(shown)
  const bot = await createBot(acme, { knowledge_base_ids: [centre.base.id] })
  const question = 'How do I connect the frobnicator?'
  const steps = ESCAPED.slice(0, ESCAPED.indexOf('\n\n|'))

  const asked = await acme.post(`/v1/chatbots/${bot.id}/ask`, { question })
  expect(asked.body.text).toContain(steps)

  const page = new ChatPage(harness, bot)
  await page.open()
  await page.write(question)
  for (const shown of SHOWN) expect(page.text).toContain(shown)

  const [conversation] = (await acme.get('/v1/conversations')).body.data
  const { data: messages } = (await acme.get(`/v1/conversations/${conversation.id}/messages`)).body
  const texts = messages.map(({ parts }: any) => parts[0].text)
  expect(texts.filter((text: string) => text.includes(steps))).toHaveLength(1)
  const { data: events } = (await acme.get('/v1/events?limit=100')).body
  const sent = events.filter(({ data }: any) => JSON.stringify(data).includes(JSON.stringify(steps).slice(1, -1)))
  expect(sent).not.toEqual([])

  const table = await acme.post(`/v1/chatbots/${bot.id}/ask`, { question: 'Which exit status means connect again?' })
  expect(table.body.text).toContain(CONTENT.slice(CONTENT.indexOf('| Exit')))
})
