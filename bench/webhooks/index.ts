import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres, type TestPostgres } from '../../src/testing/engines/postgres.ts'
import { compareEndpoints } from './endpoints.ts'
import { WebhookReceiver } from './receiver.ts'
import { WebhookService } from './service.ts'
import { compareThroughput } from './throughput.ts'
import { compareWaiting } from './waiting.ts'

export const about = 'deliveries on both engines, compared with a bare sending loop; and the cost of a large backlog'

const PARTS = ['throughput', 'waiting', 'endpoints']

export async function run(args: string[]): Promise<void> {
  const { parts, deliveries, seconds, rounds, rows, plans } = readOptions(args)
  await using receiver = await WebhookReceiver.start()
  await using postgres = await startPostgres()
  if (parts.includes('throughput')) {
    await using sqlite = await WebhookService.start(receiver.host)
    await using overPostgres = await WebhookService.start(receiver.host, await createDatabase(postgres, 'throughput'))
    await compareThroughput(receiver, [sqlite, overPostgres], { deliveries, seconds, rounds })
  }
  if (parts.includes('waiting')) {
    for (const url of [undefined, await createDatabase(postgres, 'waiting')]) {
      await using service = await WebhookService.start(receiver.host, url)
      await compareWaiting(service, receiver, rows, plans)
    }
  }
  if (parts.includes('endpoints')) {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
    try {
      await compareEndpoints('SQLite', { file: join(folder, 'waymark.db') })
      await compareEndpoints('PostgreSQL', { url: await createDatabase(postgres, 'endpoints') })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      parts: { type: 'string', default: PARTS.join() },
      deliveries: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      rows: { type: 'string', default: '1000000' },
      plans: { type: 'boolean', default: false },
    },
  })
  const [deliveries, seconds, rounds, rows] = [values.deliveries, values.seconds, values.rounds, values.rows].map(
    Number,
  ) as [number, number, number, number]
  const parts = values.parts.split(',')
  if (!(deliveries >= 8 && deliveries % 8 === 0 && seconds > 0 && rounds >= 1 && rows >= 1)) {
    throw new Error('--seconds, --rounds, --rows and --deliveries (a multiple of 8) must be numbers above 0')
  }
  if (!parts.every((part) => PARTS.includes(part))) throw new Error(`--parts must be some of ${PARTS.join()}`)
  return { parts, deliveries, seconds, rounds, rows, plans: values.plans }
}

/** Each part has a database, so that the rows of one do not slow down another. */
async function createDatabase(postgres: TestPostgres, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  return postgres.url(name)
}
