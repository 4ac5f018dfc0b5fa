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
  const leaving = new AbortController()
  const replies: { status: number; headers: Headers; text: string }[] = []
  const visits = Array.from({ length: 50 }, async (_, n) => {
    const url = `${harness.baseUrl}${acme.path}/en/articles/${slug}-${n}`
    const reply = await fetch(url, { signal: leaving.signal })
    replies.push({ status: reply.status, headers: reply.headers, text: await reply.text() })
  })
  const isSeen = (status: number) => replies.some((reply) => reply.status === status)
  await eventually(() => isSeen(503))
  expect((await other.read(`/en/articles/${otherSlug}`)).status).toBe(200)
  expect(replies.length).toBeLessThan(50)

  await eventually(() => isSeen(200))
  // The others would be rendered for seconds.
  leaving.abort()
  await Promise.allSettled(visits)
  for (const { status, headers, text } of replies.filter((reply) => reply.status !== 200)) {
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('5')
    expect(text).toContain(TEXTS.en.unavailable.title)
  }
})
