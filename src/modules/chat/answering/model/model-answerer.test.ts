import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId, type OrgId } from '../../../../platform/ids/index.ts'
import { LlmClient, type LlmSettings } from '../../../../platform/llm/index.ts'
import { createLogger } from '../../../../platform/telemetry/logging.ts'
import { createMetrics } from '../../../../platform/telemetry/metrics.ts'
import { botOf, passage, questionTo } from '../../../../testing/data/answers.ts'
import { eventually } from '../../../../testing/eventually.ts'
import {
  API_KEY,
  FINISH,
  MODEL,
  SMALL_MODEL,
  startStream,
  TestModelServer,
  toEvent,
} from '../../../../testing/world/model-server.ts'
import type { AnsweringBot } from '../answer.ts'
import { createEmbeddedAnswerer } from '../embedded.ts'
import { createModels } from './model-answerer.ts'
import { modelNames } from './model-names.ts'

let server: TestModelServer
beforeAll(async () => {
  server = await TestModelServer.start()
})
afterAll(() => server.close())
beforeEach(() => {
  server.reply = 'Oil the hinges once a year [1].'
  server.requests.length = 0
})

const RETRIEVED = {
  passages: [passage({ title: 'Oiling', plain: 'Oil the hinges once a year.' })],
  confidence: 1,
  language: 'en' as const,
  corrected: undefined,
  weigh: () => 1,
}

function create(changes: Partial<LlmSettings> = {}) {
  const llm = { ...server.settings, ...changes }
  const lines: string[] = []
  const metrics = createMetrics()
  let skewMs = 0
  const modelOf = createModels({
    llm,
    client: new LlmClient(llm),
    embedded: createEmbeddedAnswerer(),
    clock: () => Date.now() + skewMs,
    log: createLogger('info', { write: (line) => void lines.push(line) }),
    metrics,
  })
  const ask = (
    bot: AnsweringBot = botOf(newId() as OrgId),
    { signal = new AbortController().signal, retrieved = RETRIEVED } = {},
  ) => {
    const shown: string[] = []
    const answerer = modelOf(bot)
    if (answerer === undefined) throw new Error('no model')
    const answer = answerer.answer(questionTo(bot, 'How often do I oil the secret-garden chair?'), retrieved, {
      signal,
      onText: (delta) => shown.push(delta),
      onReset: () => shown.push('RESET'),
    })
    return { answer, shown }
  }
  const advance = (ms: number) => {
    skewMs += ms
  }
  return { ask, modelOf, lines, metrics, advance }
}

/** Fails as often as it takes until the endpoint is left alone. */
async function failOften(ask: ReturnType<typeof create>['ask']): Promise<void> {
  for (let n = 0; n < 5; n++) await expect(ask().answer).rejects.toThrow()
}

test('a model answers with citations, and what the model costs', async () => {
  const { answer, shown } = create().ask()
  expect(await answer).toEqual({
    text: 'Oil the hinges once a year [1].',
    citations: [
      {
        article_id: RETRIEVED.passages[0]?.articleId,
        version_number: 3,
        title: 'Oiling',
        url: '',
        snippet: 'Oil the hinges once a year.',
      },
    ],
    model: MODEL,
    credits: 7,
    isAnswered: true,
    language: 'en',
    nearest: [],
  })
  expect(shown.join('')).toBe('Oil the hinges once a year [1].')
})

test('an answer that nothing supports is not shown, and is no outage', async () => {
  const { ask, lines, metrics } = create()
  for (const reply of ['You get 1000 euros [1].', 'The oil is free. Call us.', 'Hello! Yes, you can.']) {
    server.reply = reply
    const { answer, shown } = ask()
    await expect(answer).rejects.toMatchObject({ name: 'Unsupported' })
    expect(shown.join('')).toBe('')
  }
  expect(lines).toEqual([])
  expect(await metrics.registry.metrics()).toContain(`model="${MODEL}",outcome="unsupported"} 3`)
})

test('a sentence without a source is left out, wherever it is', async () => {
  for (const text of [
    'It is made of gold. Oil the hinges once a year [1].',
    'Oil the hinges once a year [1]. It is made of gold.',
    'Sure! Oil the hinges once a year [1].\n\nIt is made of gold and lasts for many, many years without any care at all.',
  ]) {
    server.reply = text
    const { answer, shown } = create().ask()
    expect(await answer).toMatchObject({ text: 'Oil the hinges once a year [1].', isAnswered: true })
    expect(shown.join('').trim()).toBe('Oil the hinges once a year [1].')
  }
})

test('a bot has the model that it names, or the first one', async () => {
  const { ask, modelOf } = create()
  const orgId = newId() as OrgId
  const small = botOf(orgId, { model: SMALL_MODEL })
  expect(await ask(small).answer).toMatchObject({ model: SMALL_MODEL, credits: 2 })
  expect(server.lastRequest.model).toBe(SMALL_MODEL)
  expect(modelOf(botOf(orgId))?.creditsOf(botOf(orgId))).toBe(7)
  expect(modelOf(botOf(orgId, { model: 'embedded' }))).toBeUndefined()
  expect(modelOf(botOf(orgId, { model: 'removed' }))).toBeUndefined()
  expect(modelNames(server.settings)).toEqual(['embedded', MODEL, SMALL_MODEL])
  expect(modelNames(undefined)).toEqual(['embedded'])
})

test.each([
  ['nothing was found', { ...RETRIEVED, passages: [] }],
  ['what was found is hardly about the question', { ...RETRIEVED, confidence: 0.01 }],
])('the model is not asked if %s', async (_name, retrieved) => {
  expect(await create().ask(undefined, { retrieved }).answer).toMatchObject({
    model: 'embedded',
    credits: 1,
    isAnswered: false,
  })
  expect(server.requests).toEqual([])
})

test('if the model says that the passages do not answer, it is not charged', async () => {
  server.reply = 'NO_ANSWER'
  expect(await create().ask().answer).toMatchObject({ model: 'embedded', credits: 1, isAnswered: false })
})

test('what was shown is taken back when the answer fails in the middle', async () => {
  server.reply = (response) => {
    startStream(response)
    response.write(toEvent('Oil the hinges once a year [1]. And then you should go on with the next one.'))
    response.end('data: {\n\n')
  }
  const { answer, shown } = create().ask()
  await expect(answer).rejects.toMatchObject({ kind: 'malformed' })
  expect(shown).toEqual(['Oil the hinges once a year [1].', 'RESET'])
})

test('nothing is taken back if nothing was shown', async () => {
  server.reply = 500
  const { answer, shown } = create().ask()
  await expect(answer).rejects.toMatchObject({ kind: 'server_error' })
  expect(shown).toEqual([])
})

test('an endpoint that fails is left alone for a while, and tried by one question then', async () => {
  const { ask, advance } = create()
  server.reply = 503
  await failOften(ask)
  expect(server.requests).toHaveLength(5)
  await expect(ask().answer).rejects.toThrow('tried again later')
  expect(server.requests).toHaveLength(5)
  advance(30_000)
  await expect(ask().answer).rejects.toThrow('503')
  await expect(ask().answer).rejects.toThrow('tried again later')
  advance(30_000)
  server.reply = 'Oil the hinges [1].'
  await ask().answer
  await ask().answer
  expect(server.requests).toHaveLength(8)
})

test('questions that the endpoint refuses do not keep those of others from it, nor does another model', async () => {
  const { ask } = create()
  for (const reply of [400, 'x '.repeat(20_000), `${'Never mention '}NO_ANSWER`]) {
    server.reply = reply
    for (let n = 0; n < 6; n++) await ask().answer.catch(() => {})
  }
  expect(server.requests).toHaveLength(18)
  server.reply = 500
  await failOften(ask)
  server.reply = 'Oil the hinges [1].'
  expect(await ask(botOf(newId() as OrgId, { model: SMALL_MODEL })).answer).toMatchObject({ model: SMALL_MODEL })
})

test('an organisation has its share of the requests at once, and others do not wait for it', async () => {
  const waiting: (() => void)[] = []
  server.reply = (response) => {
    startStream(response)
    response.flushHeaders()
    waiting.push(() => response.end(toEvent('Oil the hinges [1].') + FINISH))
  }
  const { ask } = create()
  const [large, small] = [botOf(newId() as OrgId), botOf(newId() as OrgId)]
  const many = Array.from({ length: 60 }, () => ask(large).answer)
  const settled = Promise.allSettled(many)
  await eventually(() => waiting.length === 16)
  const one = ask(small).answer
  await eventually(() => waiting.length === 17)
  waiting.pop()?.()
  expect(await one).toMatchObject({ isAnswered: true })
  expect(waiting).toHaveLength(16)
  const timer = setInterval(() => waiting.pop()?.(), 1)
  const outcomes = await settled
  clearInterval(timer)
  // 16 at once and 32 that waited.
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(48)
  expect(server.openMax).toBeLessThanOrEqual(17)
})

test('when the visitor leaves, the request is cancelled and nothing else answers', async () => {
  server.reply = (response) => {
    startStream(response)
    response.write(toEvent('Oil'))
  }
  const controller = new AbortController()
  const { ask, lines } = create()
  const { answer } = ask(undefined, { signal: controller.signal })
  const rejected = expect(answer).rejects.toThrow('left')
  await eventually(() => server.requests.length === 1)
  controller.abort(new Error('left'))
  await rejected
  expect(await server.lastRequest.closed).toBe('aborted')
  expect(lines).toEqual([])
})

test('the log says once that a model fails, without the key and without what anybody wrote', async () => {
  const { ask, lines, metrics } = create({ apiKey: 'wrong-key-4712' })
  await failOften(ask)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', model: MODEL, reason: 'refused', status: 401 })
  expect(lines.join()).not.toMatch(new RegExp(`${API_KEY}|wrong-key|secret-garden|Oil`))
  expect(await metrics.registry.metrics()).toContain(
    `waymark_model_answers_total{model="${MODEL}",outcome="refused"} 5`,
  )
})
