import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import type { Engine } from '../../src/platform/db/types.ts'
import type { Client, Reply } from '../../src/testing/client.ts'
import type { Settings } from '../../src/testing/process.ts'
import { type Killed, killAtRandom, type Load, onStage, type Stage } from '../restartable.ts'

export const about =
  'one Idempotency-Key has one effect and one response: concurrent duplicates while processes are killed'

interface Size {
  keys: number
  duplicates: number
  kills: number
}

interface Audit {
  keys: number
  requests: number
  /** How many of them got a 201 response. */
  answered: number
  /** Keys that got more than one distinct response. */
  contradictions: number
  effects: number
}

const FULL: Size = { keys: 200, duplicates: 50, kills: 10 }
export const SETTINGS: Settings = { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_HOUR: '1000000' }
/** How many keys are sent concurrently, each with all its duplicates. */
const KEYS_AT_ONCE = 4

export async function run(): Promise<void> {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const report = await drill(engine, FULL)
    console.log(engine, JSON.stringify(report))
    check(report)
  }
}

export function check({ keys, answered, requests, contradictions, effects }: Audit): void {
  if (keys === 0) throw new Error('no request was sent')
  if (answered !== requests) throw new Error(`${requests - answered} requests got no 201 response`)
  if (contradictions > 0) throw new Error(`${contradictions} keys got different responses`)
  if (effects !== keys) throw new Error(`${keys} keys had ${effects} effects`)
}

/** Two processes serve PostgreSQL, one SQLite. */
export const PROCESSES = { sqlite: 1, postgres: 2 }

export async function drill(engine: Engine, { keys, duplicates, kills }: Size): Promise<Audit & Killed> {
  return await onStage(engine, { settings: SETTINGS, processes: PROCESSES[engine] }, async (stage) => {
    const load = sendDuplicates(stage, duplicates, (key) => key < keys)
    return await killAtRandom(stage, load, { requests: keys, kills })
  })
}

/** The duplicates of a key go to all processes. */
export function sendDuplicates({ clients }: Stage, duplicates: number, hasMore: (key: number) => boolean): Load<Audit> {
  let [keys, answered, contradictions] = [0, 0, 0]
  const sendAll = async (key: number) => {
    const replies = await Promise.all(
      Array.from({ length: duplicates }, (_, n) => sendUntilFinal(clients[n % clients.length] as Client, key)),
    )
    keys++
    answered += replies.filter(({ status }) => status === 201).length
    if (new Set(replies.map(({ text }) => text)).size > 1) contradictions++
  }
  const send = async () => {
    for (let key = 0; hasMore(key); key += KEYS_AT_ONCE)
      await Promise.all(Array.from({ length: KEYS_AT_ONCE }, (_, n) => sendAll(key + n)))
  }
  return {
    answered: () => keys,
    ended: send(),
    audit: async (location) => {
      const effects = await countEffects(location)
      return { keys, requests: keys * duplicates, answered, contradictions, effects }
    },
  }
}

async function countEffects(location: DatabaseLocation): Promise<number> {
  const database = await openDatabase(location)
  try {
    return (await database.readLong.selectFrom('article_tags').select('id').execute()).length
  } finally {
    await database.close()
  }
}

/** Repeats the request with the same key until there is a final response, as a good client does. */
async function sendUntilFinal(client: Client, key: number): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const reply = await client
      .post('/v1/article-tags', { name: `Tag ${key}` }, { 'idempotency-key': `drill-${key}` })
      .catch(() => undefined)
    const final = reply !== undefined && reply.status < 500 && reply.body?.details?.reason === undefined
    if (final || attempt === 300) return reply ?? { status: 0, headers: new Headers(), body: undefined, text: '' }
    await sleep(100)
  }
}
