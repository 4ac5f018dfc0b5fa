import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { API_KEY, FINISH, MODEL, startStream, TestModelServer, toEvent } from '../../testing/world/model-server.ts'
import { LlmClient } from './client.ts'
import type { LlmSettings } from './settings.ts'

let server: TestModelServer
beforeAll(async () => {
  server = await TestModelServer.start()
})
afterAll(() => server.close())
beforeEach(() => {
  server.reply = 'Oil it.'
})

const MESSAGES = [{ role: 'user' as const, content: 'How?' }]

async function ask(changes: Partial<LlmSettings> = {}, signal = new AbortController().signal): Promise<string[]> {
  const client = new LlmClient({ ...server.settings, ...changes })
  return Array.fromAsync(client.chat(MODEL, MESSAGES, signal))
}

/** What an error shows, also in a log. */
const show = (error: any) => [error.message, error.stack, JSON.stringify(error), String(error.cause)].join()

const failure = async (changes?: Partial<LlmSettings>) => {
  const error = await ask(changes).catch((error) => error)
  expect(show(error)).not.toContain(API_KEY)
  return error.kind
}

const send = (...pieces: (string | Uint8Array)[]) => {
  server.reply = (response) => {
    startStream(response)
    for (const piece of pieces) response.write(piece)
    response.end()
  }
}

test('streams an answer, and asks with the key and without tools', async () => {
  const pieces = await ask()
  expect(pieces.length).toBeGreaterThan(0)
  expect(pieces.join('')).toBe('Oil it.')
  const { headers, body } = server.lastRequest
  expect(headers.authorization).toBe(`Bearer ${API_KEY}`)
  expect(body).toEqual({ model: MODEL, messages: MESSAGES, stream: true })
})

test('reads events however they are cut and separated', async () => {
  const bytes = Buffer.from(
    `: hello\r\n\r\n${toEvent('Öl 🪑').replaceAll('\n', '\r\n')}event: x\rdata: {"choices":\rdata: []}\r\r${FINISH}`,
  )
  server.reply = async (response) => {
    startStream(response)
    for (const byte of bytes) {
      if (!response.write(Uint8Array.of(byte))) await once(response, 'drain')
      await new Promise(setImmediate)
    }
    response.end()
  }
  expect((await ask()).join('')).toBe('Öl 🪑')
})

test.each([
  [400, 'bad_request'],
  [401, 'refused'],
  [404, 'refused'],
  [429, 'rate_limited'],
  [500, 'server_error'],
  [503, 'server_error'],
  [302, 'refused'],
])('a status of %i is %s', async (status, kind) => {
  server.reply = status
  expect(await failure()).toBe(kind)
})

test('a wrong key is refused, and neither it nor what the server says about it is in the error', async () => {
  const error = await ask({ apiKey: 'wrong-key-4712' }).catch((error) => error)
  expect(error).toMatchObject({ kind: 'refused', status: 401 })
  expect(show(error)).not.toMatch(/wrong-key|Wrong key/)
})

test('does not follow a redirect, which would get the key', async () => {
  server.reply = (response) => response.writeHead(307, { location: `${server.settings.baseUrl}/embeddings` }).end()
  expect(await failure()).toBe('refused')
  expect(server.embedded).toEqual([])
})

test.each([
  ['no JSON', ['data: {"choices": [\n\n']],
  ['another JSON', ['data: {"error": {"message": "overloaded"}}\n\n']],
  ['a text instead of an array', ['data: {"choices": "none"}\n\n']],
  ['an end in the middle', [toEvent('Oil'), 'data: {"cho']],
  ['an end without a reason', [toEvent('Oil')]],
  ['[DONE] without a reason', [toEvent('Oil'), 'data: [DONE]\n\n']],
  ['something that is no stream', ['<html>Bad gateway</html>']],
  ['invalid UTF-8', [toEvent('Oil'), Uint8Array.of(0xff, 0xfe, 0xc3)]],
  ['half a character', [toEvent('Oil'), Uint8Array.of(0xf0, 0x9f)]],
  ['an endless event', [`data: ${'x'.repeat(300_000)}`]],
])('%s is malformed', async (_name, pieces) => {
  send(...pieces)
  expect(await failure()).toBe('malformed')
})

test('a closed connection and a port where nobody listens are failures to connect', async () => {
  server.reply = (response) => {
    startStream(response)
    response.write(toEvent('Oil'), () => response.destroy())
  }
  expect(await failure()).toBe('connect')
  expect(await failure({ baseUrl: 'http://127.0.0.1:1/v1' })).toBe('connect')
})

test('a filtered answer is refused for this request only', async () => {
  send('data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}\n\n')
  expect(await failure()).toBe('bad_request')
})

test('stops an endless answer', async () => {
  server.reply = async (response, { closed }) => {
    startStream(response)
    let isOpen = true
    void closed.then(() => {
      isOpen = false
    })
    while (isOpen) {
      response.write(toEvent('x'.repeat(50_000)))
      await new Promise(setImmediate)
    }
  }
  expect(await failure()).toBe('too_large')
  expect(await server.lastRequest.closed).toBe('aborted')
})

test.each<[string, (response: ServerResponse) => void]>([
  ['no response', () => {}],
  ['only headers', (response) => startStream(response) ?? response.flushHeaders()],
  ['only a comment', (response) => startStream(response) ?? response.write(': wait\n\n')],
  ['a text and then nothing', (response) => startStream(response) ?? response.write(toEvent('Oil'))],
])('%s is a timeout, and the request is cancelled', async (_name, reply) => {
  server.reply = reply
  expect(await failure({ silenceMsMax: 100 })).toBe('timeout')
  expect(await server.lastRequest.closed).toBe('aborted')
})

test('an answer that goes on for too long is ended', async () => {
  server.reply = (response) => {
    startStream(response)
    const timer = setInterval(() => response.write(toEvent('Oil ')), 10)
    response.on('close', () => clearInterval(timer))
  }
  expect(await failure({ answerMsMax: 300 })).toBe('too_long')
  expect(await server.lastRequest.closed).toBe('aborted')
})

test('the request is cancelled when the signal is aborted, when nobody reads on, and when the client closes', async () => {
  const hang = (response: ServerResponse) => startStream(response) ?? void response.write(toEvent('Oil'))
  server.reply = hang
  const controller = new AbortController()
  const client = new LlmClient(server.settings)
  const reason = new Error('left')
  for await (const _ of client.chat(MODEL, MESSAGES, controller.signal)) break
  expect(await server.lastRequest.closed).toBe('aborted')

  const read = async () => {
    for await (const _ of client.chat(MODEL, MESSAGES, controller.signal)) controller.abort(reason)
  }
  await expect(read()).rejects.toBe(reason)
  expect(await server.lastRequest.closed).toBe('aborted')
  const asked = server.requests.length
  await expect(read()).rejects.toBe(reason)
  expect(server.requests).toHaveLength(asked)

  const closing = async () => {
    for await (const _ of client.chat(MODEL, MESSAGES, new AbortController().signal)) client.close()
  }
  await expect(closing()).rejects.toMatchObject({ kind: 'connect' })
})

test('returns a vector for each text, in their order', async () => {
  const client = new LlmClient({ ...server.settings, embeddingsModel: 'acme-vectors' })
  const { signal } = new AbortController()
  server.embed = (text) => [text.length, 1]
  expect(await client.embed(['a', 'bcd'], signal)).toEqual([
    [1, 1],
    [3, 1],
  ])
  for (const embed of [500, () => [], (text: string) => Array(text.length).fill(1)]) {
    server.embed = embed
    await expect(client.embed(['a', 'bcd'], signal)).rejects.toMatchObject({ name: 'LlmError' })
  }
})
