import { expect, test } from 'vitest'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { TEXTS } from './texts.ts'

const harness = useHarness()

/** Takes some hundred milliseconds to render. */
const LARGE = `[a](https://acme.com/${'b'.repeat(70)}) `.repeat(5200)

test('beyond the limit of large texts, visitors get a 503 notice, and other help centres are not delayed', async () => {
  const [acme, other] = [await createCentre(harness), await createCentre(harness)]
  const { id, slug } = await acme.article({ content: LARGE })
  await acme.multiplyArticle(id, 50)
  const { slug: otherSlug } = await other.article()
  const statuses: number[] = []
  const visits = Array.from({ length: 50 }, async (_, n) => {
    const reply = await acme.read(`/en/articles/${slug}-${n}`)
    statuses.push(reply.status)
    return reply
  })
  await eventually(() => statuses.includes(503))
  expect((await other.read(`/en/articles/${otherSlug}`)).status).toBe(200)
  expect(statuses.length).toBeLessThan(50)

  const replies = await Promise.all(visits)
  expect(replies.some(({ status }) => status === 200)).toBe(true)
  for (const { status, headers, text } of replies.filter((reply) => reply.status !== 200)) {
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('5')
    expect(text).toContain(TEXTS.en.unavailable.title)
  }
})
