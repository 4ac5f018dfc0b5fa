import { Visitor } from '../../../src/testing/visitor.ts'
import { describeStatuses } from '../attacker.ts'
import type { AttackName } from '../attacks.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage, type Stage } from '../stage.ts'

/** Everything that one address can send as fast as it likes. What it sends at first is served; the rest is refused. */
const flood = (
  number: number,
  title: string,
  attack: AttackName,
  prepare: (stage: Stage) => Promise<string[]>,
): Scenario => ({
  number,
  title: `${title}, 100 at once from one address`,
  run: (engine) =>
    onStage(engine, { settings: { TRUST_PROXY: '127.0.0.0/8' } }, async (stage) => {
      const given = await prepare(stage)
      const attacked = await underAttack(stage, { attack, given }, ['scan', 'me', 'write'])
      const { 429: refused = 0, ...others } = attacked.statuses
      return both(attacked, {
        holds: refused > 0 && Object.keys(others).length > 0,
        figures: `attacker: ${describeStatuses(attacked.statuses)}`,
      })
    }),
})

export const docsSearches = flood(31, 'searches in the documentation', 'docsSearches', async (stage) => {
  // The first one after a start prepares the search.
  await fetch(`http://127.0.0.1:${stage.port}/docs/search?q=webhooks`)
  return []
})

export const messages = flood(32, 'messages to a chatbot', 'messages', async (stage) => {
  const { client } = await stage.createTenant('hostile')
  const { body: base } = await client.post('/v1/knowledge-bases', { name: 'Care', is_published: true })
  const content = 'Oil the oak table twice a year, best in spring.'
  const article = { knowledge_base_id: base.id, title: 'Oiling', content, status: 'published' }
  await client.post('/v1/articles', article)
  const { body: bot } = await client.post('/v1/chatbots', { name: 'Care', status: 'active' })
  return [bot.public_slug]
})

export const receipts = flood(34, 'receipts and reasons why an article did not help', 'receipts', async (stage) => {
  const { client } = await stage.createTenant('hostile')
  const { body: base } = await client.post('/v1/knowledge-bases', { name: 'Care', is_published: true })
  const article = { knowledge_base_id: base.id, title: 'Oiling', content: 'Twice a year.', status: 'published' }
  const { body: published } = await client.post('/v1/articles', article)
  return [`/kb/${base.public_slug}/articles/${published.slug}/feedback?language=en`]
})

export const signIns = flood(33, 'attempts to sign in', 'signIns', async (stage) => {
  const visitor = new Visitor(`http://127.0.0.1:${stage.port}`)
  const { text } = await visitor.open('/account/sign-in')
  const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return [[...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '), token]
})
