import { setTimeout as sleep } from 'node:timers/promises'
import { printTable, whole } from '../../bench/support/table.ts'
import { TEXTS } from '../../src/modules/chat/answering/texts.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import type { Engine } from '../../src/platform/db/types.ts'
import type { Client } from '../../src/testing/client.ts'
import type { Settings } from '../../src/testing/process.ts'
import { type Killed, killAtRandom, type Load, onStage, type Stage } from '../restartable.ts'

export const about = 'every answer is charged once and the balance is exact while the service is killed'

interface Size {
  /** Every second one is a visitor who asks in a chat, the others are programs. */
  askers: number
  /** How many questions each asker asks, one after the other. */
  questions: number
  /** Fewer than there are questions, so that the last ones are refused. */
  credits: number
  kills: number
}

const FULL: Size = { askers: 32, questions: 40, credits: 1000, kills: 10 }
const PAUSE_MS = 50
/** How a chatbot begins whose organisation cannot pay. An apostrophe is escaped. */
const REFERRAL = TEXTS.en.notNow.replace(/^.*'t /, '')
/** More often than an answer fails because the service was killed. */
const FAILURES_MAX = 3
/** A visitor may write 20 messages in a minute, and repeats them. */
const QUESTIONS_OF_VISITOR = 2

export const settingsFor = (credits: number): Settings => ({
  CREDITS: 'metered',
  STARTING_CREDITS: String(credits),
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_PER_HOUR: '1000000',
  // Every visitor has an address, and may ask as much as they like.
  TRUST_PROXY: '127.0.0.1',
  QUESTIONS_PER_DAY: '1000000',
  QUESTIONS_PER_ADDRESS: '1000000',
})

interface Audit {
  asked: number
  /** Questions whose answer was acknowledged. */
  answered: number
  /** Whether a program was refused. Visitors are refused earlier: they must leave a part of the balance. */
  isProgramRefused: boolean
  /** Answers that are stored and cost something: under their Idempotency-Key, or as messages. */
  stored: number
  /** Entries of the ledger for answers. */
  charged: number
  balance: number
  /** The sum of all entries. */
  ledger: number
}

export async function run(): Promise<void> {
  const rows: string[][] = []
  try {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const report = await drill(engine, FULL)
      const { isProgramRefused: _, ...figures } = report
      rows.push([engine, ...Object.values(figures).map((value) => whole(value))])
      check(report, FULL.credits)
    }
  } finally {
    printTable(['', 'asked', 'answered', 'stored', 'charged', 'balance', 'ledger', 'questions/s', 'kills'], rows)
  }
}

export function check(audit: Audit, credits: number): void {
  const { asked, answered, stored, charged, balance, ledger, isProgramRefused } = audit
  const reserved = Math.min(50, Math.floor(credits / 10))
  if (answered === 0) throw new Error('no question was answered')
  if (stored !== charged) throw new Error(`${stored} answers were stored, but ${charged} charged`)
  if (answered !== charged) throw new Error(`${answered} answers were received, but ${charged} charged`)
  if (balance !== ledger) throw new Error(`the balance is ${balance}, but the ledger says ${ledger}`)
  if (balance !== credits - charged)
    throw new Error(`${charged} of ${credits} credits were charged, ${balance} are left`)
  if (answered < asked && balance > (isProgramRefused ? 0 : reserved))
    throw new Error(`questions were refused, although ${balance} credits were left`)
}

export async function drill(engine: Engine, { askers, questions, credits, kills }: Size): Promise<Audit & Killed> {
  return await onStage(engine, { settings: settingsFor(credits) }, async (stage) => {
    const load = await askQuestions(stage, askers, (question) => question < questions)
    return await killAtRandom(stage, load, { requests: askers * questions, kills })
  })
}

/** Every asker repeats a question with the same key until it is answered or refused. */
export async function askQuestions(
  { url, clients: [client] }: Stage,
  askers: number,
  hasMore: (question: number) => boolean,
): Promise<Load<Audit> & { isRefused(): boolean }> {
  const bot = (await client.post('/v1/chatbots', { name: 'Support', status: 'active' })).body
  const chat = `${url}/c/${bot.public_slug}/messages`
  let [asked, answered, isProgramRefused] = [0, 0, false]
  const ended = Promise.all(
    Array.from({ length: askers }, async (_, asker) => {
      const enter = (n: number) => new Visitor(chat, `203.0.${asker}.${n}`)
      let visitor = enter(0)
      for (let n = 0; hasMore(n); n++) {
        if (n % QUESTIONS_OF_VISITOR === 0) visitor = enter(n)
        const question = `How do I clean part ${asker}-${n}?`
        const isProgram = asker % 2 === 0
        const isAnswered = isProgram ? await ask(client, bot.id, question) : await visitor.ask(question)
        asked++
        isProgramRefused ||= isProgram && !isAnswered
        if (isAnswered) answered++
      }
    }),
  )
  return {
    answered: () => asked,
    isRefused: () => answered < asked,
    ended,
    audit: async (location) => ({ asked, answered, isProgramRefused, ...(await auditCredits(location)) }),
  }
}

/** Repeats a question until it is answered or refused for lack of credits. Returns whether it was answered. */
async function ask(client: Client, chatbotId: string, question: string): Promise<boolean> {
  const key = { 'idempotency-key': crypto.randomUUID() }
  for (;;) {
    const reply = await client.post(`/v1/chatbots/${chatbotId}/ask`, { question }, key).catch(() => undefined)
    if (reply?.status === 200) return true
    if (reply?.body?.error === 'insufficient_credits') return false
    const isRefused = reply !== undefined && reply.status < 500 && reply.status !== 409
    if (isRefused) throw new Error(`${reply.status}: ${reply.text}`)
    await sleep(PAUSE_MS)
  }
}

/** Somebody who asks in a chat, with the script of its page. */
class Visitor {
  readonly #chat: string
  readonly #headers: Record<string, string>

  constructor(chat: string, address: string) {
    this.#chat = chat
    this.#headers = { 'x-forwarded-for': address, 'sec-fetch-site': 'same-origin', accept: 'text/event-stream' }
  }

  /** The end of the stream says what became of the question. One that cannot be paid is answered with a referral. */
  async ask(text: string): Promise<boolean> {
    const body = new URLSearchParams({ text, key: crypto.randomUUID() })
    for (let failed = 0; failed < FAILURES_MAX; ) {
      const events = await this.#post(body)
      if (events.includes('"outcome":"stored"')) return !events.includes(REFERRAL)
      if (events.includes('"outcome":"failed"')) failed++
      await sleep(PAUSE_MS)
    }
    return false
  }

  /** Nothing if the service was killed. */
  async #post(body: URLSearchParams): Promise<string> {
    const response = await fetch(this.#chat, { method: 'POST', headers: this.#headers, body }).catch(() => undefined)
    if (response === undefined) return ''
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
    if (cookies.length > 0) this.#headers.cookie = cookies.join('; ')
    const text = await response.text().catch(() => '')
    if (response.status === 429) await sleep(1000 * Number(response.headers.get('retry-after')))
    else if (!response.ok && response.status < 500) throw new Error(`${response.status}: ${text}`)
    return text
  }
}

async function auditCredits(location: DatabaseLocation) {
  const database = await openDatabase(location)
  try {
    const { readLong } = database
    const { balance } = await readLong.selectFrom('credit_balances').select('balance').executeTakeFirstOrThrow()
    const entries = await readLong
      .selectFrom('credit_entries')
      .select(['amount', 'balance', 'reason'])
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const stored = await readLong
      .selectFrom('idempotent_answers')
      .select('key')
      .where('path', 'like', '%/ask')
      .where('status', '=', 200)
      .execute()
    const answers = await readLong.selectFrom('messages').select('metadata').where('role', '=', 'assistant').execute()
    const messages = answers.filter(({ metadata }) => (metadata as { credits_used: number }).credits_used > 0)
    return {
      stored: stored.length + messages.length,
      charged: entries.filter(({ reason }) => reason === 'answer').length,
      balance: Number(balance),
      ledger: sumOf(entries.map((entry) => ({ amount: Number(entry.amount), balance: Number(entry.balance) }))),
    }
  } finally {
    await database.close()
  }
}

/** Each entry must continue from the balance before it, and none may be negative. */
function sumOf(entries: readonly { amount: number; balance: number }[]): number {
  let sum = 0
  for (const { amount, balance } of entries) {
    sum += amount
    if (balance !== sum || balance < 0) throw new Error(`an entry says ${balance}, but the balance was ${sum}`)
  }
  return sum
}
