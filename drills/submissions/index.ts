import { setTimeout as sleep } from 'node:timers/promises'
import { printTable, whole } from '../../bench/support/table.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import type { Engine } from '../../src/platform/db/types.ts'
import type { Client } from '../../src/testing/client.ts'
import type { Settings } from '../../src/testing/process.ts'
import { type Killed, killAtRandom, type Load, onStage, type Stage } from '../restartable.ts'

export const about = 'submissions are stored once and numbered without gaps while the service is killed'

interface Size {
  visitors: number
  /** How many forms each visitor sends, one after the other. */
  forms: number
  kills: number
}

const FULL: Size = { visitors: 64, forms: 40, kills: 10 }
/** Every visitor has an address, because each may send only so many forms a minute. */
export const SETTINGS: Settings = { TRUST_PROXY: '127.0.0.1', FORMS_PER_MINUTE: '1000000' }

interface Audit {
  sent: number
  stored: number
  /** Forms that were acknowledged and are not in the database. */
  lost: number
  /** Forms that are in the database more than once. */
  twice: number
  /** Numbers from 1 to the highest one that no submission has. */
  gaps: number
  /** Submissions that share their number with another. */
  sameNumber: number
}

export async function run(): Promise<void> {
  const rows: string[][] = []
  try {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const report = await drill(engine, FULL)
      rows.push([engine, ...Object.values(report).map((value) => whole(value))])
      check(report)
    }
  } finally {
    printTable(['', 'sent', 'stored', 'lost', 'twice', 'gaps', 'same number', 'forms/s', 'kills'], rows)
  }
}

export function check({ sent, stored, lost, twice, gaps, sameNumber }: Audit): void {
  if (sent === 0 || stored !== sent) throw new Error(`${sent} forms were sent and ${stored} are stored`)
  if (lost + twice > 0) throw new Error(`${lost} forms were lost, ${twice} were stored twice`)
  if (gaps + sameNumber > 0) throw new Error(`${gaps} numbers are missing, ${sameNumber} were given twice`)
}

export async function drill(engine: Engine, { visitors, forms, kills }: Size): Promise<Audit & Killed> {
  return await onStage(engine, { settings: SETTINGS }, async (stage) => {
    const load = await sendForms(stage, visitors, (form) => form < forms)
    return await killAtRandom(stage, load, { requests: visitors * forms, kills })
  })
}

/** Every visitor repeats a form with the same key until it is acknowledged, as the script of the page does. */
export async function sendForms(
  { url, clients: [client] }: Stage,
  visitors: number,
  hasMore: (form: number) => boolean,
): Promise<Load<Audit>> {
  const page = await createPage(client)
  const acknowledged = new Set<string>()
  const ended = Promise.all(
    Array.from({ length: visitors }, async (_, visitor) => {
      for (let form = 0; hasMore(form); form++) {
        const text = `form ${visitor}-${form}`
        await send(`${url}/p/${page.public_slug}`, visitor, text)
        acknowledged.add(text)
      }
    }),
  )
  return {
    answered: () => acknowledged.size,
    ended,
    audit: (location) => auditSubmissions(location, page.id, acknowledged),
  }
}

const createPage = async (client: Client): Promise<{ id: string; public_slug: string }> =>
  (
    await client.post('/v1/pages', {
      title: 'Report a fault',
      status: 'active',
      proof_of_work: 'never',
      blocks: [
        { type: 'form_text', config: { label: 'What happened?', name: 'what', required: true } },
        { type: 'form_submit', config: { label: 'Send' } },
      ],
    })
  ).body

/** Sends a form until it is acknowledged. */
async function send(url: string, visitor: number, text: string): Promise<void> {
  const key = crypto.randomUUID()
  for (;;) {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ what: text, _wm_key: key }),
      headers: {
        accept: 'application/json',
        origin: new URL(url).origin,
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': `192.0.2.${visitor}`,
      },
      // A killed process may leave a connection open for a moment.
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined)
    const body = await response?.text().catch(() => undefined)
    if (response?.ok && body !== undefined) return
    // Repeats count against the limit of a visitor, too.
    const isRefused = response !== undefined && response.status < 500 && response.status !== 429
    if (isRefused) throw new Error(`${response.status}: ${body}`)
    await sleep(50)
  }
}

async function auditSubmissions(
  location: DatabaseLocation,
  pageId: string,
  acknowledged: ReadonlySet<string>,
): Promise<Audit> {
  const database = await openDatabase(location)
  try {
    const rows = await database.readLong
      .selectFrom('submissions')
      .select(['number', 'data'])
      .where('page_id', '=', pageId)
      .execute()
    const stored = rows.map(({ number, data }) => ({ number, text: textOf(data) }))
    const byText = Map.groupBy(stored, ({ text }) => text)
    const used = new Set(stored.map(({ number }) => number))
    return {
      sent: acknowledged.size,
      stored: stored.length,
      lost: [...acknowledged].filter((text) => !byText.has(text)).length,
      twice: [...byText.values()].filter((same) => same.length > 1).length,
      gaps: Math.max(0, ...used) - used.size,
      sameNumber: stored.length - used.size,
    }
  } finally {
    await database.close()
  }
}

/** The only answer of a form. */
const textOf = (data: unknown): string => Object.values(data as Record<string, { value: string }>)[0]?.value ?? ''
