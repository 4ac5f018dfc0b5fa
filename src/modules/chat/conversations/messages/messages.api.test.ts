import { describe, expect, test } from 'vitest'
import { assetSettings, openAssetStore } from '../../../../main/asset-settings.ts'
import { MINUTE_MS, timestamp } from '../../../../platform/clock/index.ts'
import { newId } from '../../../../platform/ids/index.ts'
import { createLogger } from '../../../../platform/telemetry/logging.ts'
import { ANSWER, ChatVisitor, createBot, createConversation } from '../../../../testing/data/conversations.ts'
import { type Tenant, testConfig, useHarness } from '../../../../testing/harness.ts'
import { testOnce } from '../../../../testing/test-once.ts'
import { setBalance } from '../../../account/credits/index.ts'
import { type HeldAsset, storeAsset } from '../../../assets/assets/index.ts'
import { FilesGone } from '../index.ts'

const harness = useHarness({ role: 'api' })

/** Stores a file of a visitor, as the chat page does. */
async function storeFile({ orgId }: Tenant, content: string, fileName: string): Promise<HeldAsset> {
  const config = testConfig(harness)
  const assets = assetSettings(config, harness.service.database, await openAssetStore(config))
  const staged = await assets.store.stage([Buffer.from(content)])
  const ctx = { orgId, now: timestamp(harness.nowMs()), log: createLogger('silent') }
  const asset = await storeAsset(
    ctx,
    { staged, mediaType: 'image/jpeg', extension: 'jpg', fileName },
    'private',
    assets,
  )
  if (asset === undefined) throw new Error('there is no room')
  return asset
}

const toFile = ({ id, file_name, media_type, size_bytes }: HeldAsset) => ({ id, file_name, media_type, size_bytes })

describe('messages of a visitor', () => {
  test('the same key stores a message once, also at once', async () => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme)
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => visitor.say('And for the big one?', { messageKey: 'key' })),
    )
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(await visitor.messagesAfter(null)).toHaveLength(2)
    await visitor.say('And for the big one?', { messageKey: 'other' })
    expect(await visitor.messagesAfter(null)).toHaveLength(3)
    const stranger = await createConversation(harness, acme)
    await stranger.say('Mine', { messageKey: 'key' })
    expect(await stranger.messagesAfter(null)).toHaveLength(2)
  })

  test('many at once are listed in the order of their ids, and none is missed after any position', async () => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme)
    await Promise.all(Array.from({ length: 20 }, (_, n) => visitor.say(`Message ${n}`)))
    const all = await visitor.messagesAfter(null)
    const ids = all.map(({ id }) => id)
    expect(ids).toHaveLength(21)
    expect(ids).toEqual([...ids].sort())
    expect(new Set(all.map(({ created_at }) => created_at)).size).toBe(21)
    for (const [n, id] of ids.entries()) {
      const later = await visitor.messagesAfter(id, 3)
      expect(later.map((message) => message.id)).toEqual(ids.slice(n + 1, n + 4))
    }
    const shown = (await acme.get(`${visitor.path}/messages?limit=100`)).body.data
    expect(shown).toEqual(all.toReversed())
    expect((await acme.get(`${visitor.path}/messages?limit=100&order=asc`)).body.data).toEqual(all)
  })

  test('a clock that goes back does not change the order', async () => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme)
    harness.advance(MINUTE_MS)
    await visitor.say('Later')
    harness.advance(-MINUTE_MS)
    await visitor.say('Last')
    const texts = (await visitor.messagesAfter(null)).map(({ parts }) => parts[0]?.text)
    expect(texts).toEqual(['How do I descale it?', 'Later', 'Last'])
    const events = (await acme.get('/v1/events?type=message.created')).body.data
    expect(events.map(({ data }: any) => data.parts[0].text)).toEqual(texts.toReversed())
  })

  test('pages of messages walk each once in both directions, and a page of long ones ends early', async () => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme)
    const long = '长'.repeat(10_000)
    for (let n = 0; n < 45; n++) await visitor.say(long)
    for (const order of ['asc', 'desc']) {
      const seen: string[] = []
      const pages: number[] = []
      for (let cursor = ''; ; ) {
        const { body, text } = await acme.get(`${visitor.path}/messages?limit=100&order=${order}${cursor}`)
        expect(Buffer.byteLength(text)).toBeLessThan(1.2 * 1024 * 1024)
        seen.push(...body.data.map(({ id }: any) => id))
        pages.push(body.data.length)
        if (!body.has_more) break
        cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
      }
      expect(pages.length).toBeGreaterThan(1)
      expect(seen).toHaveLength(46)
      expect(seen).toEqual(order === 'asc' ? [...seen].sort() : [...seen].sort().reverse())
    }
  })

  test('a preview is one line of at most 200 characters, whole ones', async () => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme, { text: `  One\n\n two\t${'👩‍🔧'.repeat(200)}` })
    const preview = (await acme.get(visitor.path)).body.last_message_preview
    expect(preview).toMatch(/^One two 👩.*…$/u)
    expect([...preview]).toHaveLength(200)
    expect(preview.isWellFormed()).toBe(true)
  })
})

describe('answers', () => {
  test('an answer is stored with its sources and charged once, also when it is stored again', async () => {
    const acme = await harness.createTenant()
    await harness.service.database.write((tx) => setBalance(tx, acme.orgId, 10, timestamp(harness.nowMs())))
    const visitor = await createConversation(harness, acme)
    const [question] = await visitor.messagesAfter(null)
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => visitor.answer(question!.id)))
    for (const other of others) expect(other).toEqual(first)
    expect(first).toMatchObject({
      role: 'assistant',
      metadata: { citations: ANSWER.citations, nearest: [], model: 'embedded', credits_used: 1, is_answered: true },
      parts: [{ type: 'text', text: ANSWER.text }],
    })
    expect((await acme.get('/v1/credits')).body.balance).toBe(9)
    const [entry] = (await acme.get('/v1/credits/entries')).body.data
    expect(entry).toMatchObject({ amount: -1, reason: 'answer', message_id: (first as { id: string }).id })
    expect(await acme.lastEvent()).toMatchObject({ type: 'message.created', data: first })
  })

  test('without enough credits nothing is stored, and nothing was spent', async () => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme)
    const [question] = await visitor.messagesAfter(null)
    await harness.service.database.write((tx) => setBalance(tx, acme.orgId, 2, timestamp(harness.nowMs())))
    const last = (await acme.lastEvent()).id
    const answering = visitor.answer(question!.id, { ...ANSWER, credits: 3, isAnswered: false })
    await expect(answering).rejects.toMatchObject({ code: 'insufficient_credits' })
    expect((await acme.get('/v1/credits')).body.balance).toBe(2)
    expect(await visitor.messagesAfter(null)).toHaveLength(1)
    expect((await acme.lastEvent()).id).toBe(last)
  })

  test('an answer to a question of another conversation is not wanted', async () => {
    const acme = await harness.createTenant()
    const [one, other] = [await createConversation(harness, acme), await createConversation(harness, acme)]
    const [question] = await other.messagesAfter(null)
    expect(await one.answer(question!.id)).toBe('no longer wanted')
    expect(await one.answer(newId())).toBe('no longer wanted')
  })

  test('of a person asked for and an answer at once, the answer comes first or not at all', async () => {
    const acme = await harness.createTenant()
    for (let n = 0; n < 5; n++) {
      const visitor = await createConversation(harness, acme)
      const [question] = await visitor.messagesAfter(null)
      const [answer] = await Promise.all([visitor.answer(question!.id), visitor.askForAgent()])
      expect((await acme.get(visitor.path)).body.status).toBe('agent_requested')
      expect(await visitor.messagesAfter(null)).toHaveLength(answer === 'no longer wanted' ? 1 : 2)
    }
  })
})

describe('messages of agents', () => {
  test('a text and attachments are parts in their order', async () => {
    const acme = await harness.createTenant()
    const { path, id } = await createConversation(harness, acme, { status: 'open' })
    const gif = Buffer.from(`GIF89a\x01\0\x01\0\x80\0\0\0\0\0;${newId()}`, 'latin1')
    const asset = (await acme.post('/v1/assets?file_name=Seal.gif', gif)).body
    const url = 'https://docs.acme.com/Anleitung%20%F0%9F%94%A7.pdf?a=1#page=2'
    const reply = await acme.post(`${path}/messages`, {
      text: 'See **these**:\n',
      attachments: [{ url: asset.url }, { url }],
    })
    expect(reply, reply.text).toMatchObject({ status: 201 })
    const { body } = reply
    const none = {
      ...{ tool_name: null, tool_call_id: null, tool_input: null, tool_output: null, tool_error_text: null },
    }
    const noFile = { file_url: null, file_media_type: null, file_filename: null }
    const same = { object: 'message_part', id: expect.any(String), ...none, created_at: body.created_at }
    expect(body).toEqual({
      object: 'message',
      id: expect.any(String),
      conversation_id: id,
      role: 'assistant',
      metadata: { author_id: null },
      parts: [
        { ...same, type: 'text', order: 0, text: 'See **these**:\n', ...noFile },
        {
          ...{ ...same, type: 'file', order: 1, text: null, file_url: asset.url },
          ...{ file_media_type: 'image/gif', file_filename: 'Seal.gif' },
        },
        { ...{ ...same, type: 'file', order: 2, text: null, ...noFile }, file_url: url },
      ],
      created_at: body.created_at,
    })
    const [shown] = (await acme.get(`${path}/messages?limit=1`)).body.data
    expect(shown).toEqual(body)
    // It is in use now.
    expect((await acme.delete(`/v1/assets/${asset.id}`)).status).toBe(409)
    expect((await acme.post(`${path}/messages`, { attachments: [{ url }] })).status).toBe(201)
    expect((await acme.get(path)).body.last_message_preview).toBe(url)
  })

  test("another organisation's asset, a deleted one and an address without https cannot be attached", async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const { path } = await createConversation(harness, acme, { status: 'agent_requested' })
    const gif = (n: number) => Buffer.from(`GIF89a\x01\0\x01\0\x80\0\0\0\0\0;${n}`, 'latin1')
    const foreign = (await other.post('/v1/assets', gif(1))).body.url
    const own = (await acme.post('/v1/assets', gif(2))).body
    expect((await acme.delete(`/v1/assets/${own.id}`)).status).toBe(204)
    const visitors = await storeFile(acme, 'private', 'x.jpg')
    const secret = foreign.replace(/[^/]+$/, visitors.name)
    for (const url of [foreign, own.url, secret, 'http://acme.com/a.pdf']) {
      const attachments = [{ url: 'https://acme.com/a.pdf' }, { url }]
      expect(await acme.post(`${path}/messages`, { text: 'See', attachments }), url).toMatchObject({
        status: 422,
        body: { error: 'unprocessable', details: { field: 'attachments[1].url', value: url } },
      })
    }
    expect((await acme.get(path)).body.status).toBe('agent_requested')
  })

  testOnce.each([
    {},
    { text: '' },
    { text: ' \n ' },
    { text: 'x'.repeat(10_001) },
    { attachments: [] },
    { attachments: [{ url: 'javascript:alert(1)' }] },
    { attachments: Array(11).fill({ url: 'https://acme.com/a' }) },
    { text: 'x', role: 'system' },
    { text: 'x', attachments: [{ url: 'https://acme.com/a', name: 'x' }] },
  ])('refuses %j', async (body) => {
    const acme = await harness.createTenant()
    const { path } = await createConversation(harness, acme, { status: 'open' })
    expect(await acme.post(`${path}/messages`, body)).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
  })

  test('the same Idempotency-Key answers the visitor once', async () => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme, { status: 'agent_requested' })
    const post = () => acme.post(`${visitor.path}/messages`, { text: 'Hello' }, { 'idempotency-key': 'once' })
    const [one, other] = [await post(), await post()]
    expect(other).toMatchObject({ status: 201, body: one.body })
    expect(await visitor.messagesAfter(null)).toHaveLength(3)
  })
})

describe('files of visitors', () => {
  test('can be downloaded with a credential and their own name, by their own organisation', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const visitor = new ChatVisitor(harness, acme, (await createBot(acme)).id)
    const asset = await storeFile(acme, '<script>alert(1)</script>', 'Riß "2" 🛢.jpg')
    const message = await visitor.say('', { files: [toFile(asset)] })
    const [part] = message.parts
    expect(part).toMatchObject({
      type: 'file',
      text: null,
      file_filename: 'Riß "2" 🛢.jpg',
      file_media_type: 'image/jpeg',
    })
    expect(part!.file_url).toBe(`${harness.baseUrl}${visitor.path}/files/${asset.id}`)
    expect((await acme.get(visitor.path)).body.last_message_preview).toBe('Riß "2" 🛢.jpg')
    const path = new URL(part!.file_url!).pathname
    const reply = await acme.get(path)
    expect(reply).toMatchObject({ status: 200, text: '<script>alert(1)</script>' })
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="Ri_ _2_ __\.jpg"/)
    expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect((await other.get(path)).status).toBe(404)
    expect((await harness.client().get(path)).status).toBe(401)
    const { path: elsewhere } = await createConversation(harness, acme)
    expect((await acme.get(`${elsewhere}/files/${asset.id}`)).status).toBe(404)
    // The same file again.
    await visitor.say('Again', { files: [toFile(asset)] })
    expect((await acme.get(path)).status).toBe(200)
  })

  test('files that were removed in the meantime refuse the message, and a conversation has at most 100', async () => {
    const acme = await harness.createTenant()
    const visitor = await createConversation(harness, acme)
    const gone = { id: newId(), file_name: 'x.jpg', media_type: 'image/jpeg', size_bytes: 1 }
    const sending = visitor.say('Look', { files: [gone] })
    await expect(sending).rejects.toThrow(FilesGone)
    await expect(sending).rejects.toMatchObject({ fileIds: [gone.id] })
    expect(await visitor.messagesAfter(null)).toHaveLength(1)
    const many = Array.from({ length: 101 }, () => gone)
    await expect(visitor.say('Look', { files: many })).rejects.toMatchObject({ name: 'TooManyFiles' })
  })
})
