import { expect, test } from 'vitest'
import { createKnowledgeBase } from '../../../testing/data/articles.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })

/** Takes some hundred milliseconds to render. */
const LARGE = `${'Wipe **it** with a dry cloth. '.repeat(50)}\n\n`.repeat(330)

test('100 large articles of one organisation do not delay another, and those beyond its limit get a 503', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const [base, otherBase] = [await createKnowledgeBase(acme), await createKnowledgeBase(other)]
  const leaving = new AbortController()
  const replies: Response[] = []
  const body = JSON.stringify({ title: 'Oiling', content: LARGE, knowledge_base_id: base })
  const headers = { authorization: `Bearer ${acme.apiKey}`, 'content-type': 'application/json' }
  const send = async () => {
    const reply = await fetch(`${harness.baseUrl}/v1/articles`, {
      method: 'POST',
      headers,
      body,
      signal: leaving.signal,
    })
    replies.push(reply)
  }
  const requests = Promise.allSettled(Array.from({ length: 100 }, send))
  const refusals = () => replies.filter(({ status }) => status === 503)
  await eventually(() => replies.length > 0)

  const article = { title: 'Waxing', content: '# Waxing', knowledge_base_id: otherBase }
  expect(await other.post('/v1/articles', article)).toMatchObject({ status: 201 })
  expect(replies.length).toBeLessThan(100)
  // They have waited for their turn until then.
  await eventually(() => refusals().length > 40)
  for (const refused of refusals()) {
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({ error: 'service_unavailable' })
  }

  // Texts of clients that left are not rendered, so the organisation itself is served again soon.
  leaving.abort()
  await requests
  const last = { title: 'Waxing', knowledge_base_id: base }
  await eventually(async () => (await acme.post('/v1/articles', last)).status === 201)
  const { total } = (await acme.get('/v1/articles?page_size=1')).body
  expect(total).toBeLessThan(60)
})
