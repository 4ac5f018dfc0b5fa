import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../../../bench/support/children.ts'
import { Client } from '../../../src/testing/client.ts'
import type { Finding, Scenario } from '../finding.ts'

const KILLS = 3
const BETWEEN_KILLS_MS = 1500
const GIVE_UP_MS = 15_000
/** The first of them sends batches, which are written in pieces. */
const WRITERS = 8
const BATCH = 500

export interface DeadWriterReady {
  port: number
  apiKey: string
}

/** Ends the thread that writes to SQLite, while requests write. */
export const deadWriter: Scenario = {
  number: 11,
  title: `the writer thread dies ${KILLS} times`,
  run: async (engine) => {
    if (engine !== 'sqlite') return undefined
    const folder = await mkdtemp(join(tmpdir(), 'waymark-drill-'))
    try {
      await using child = await Child.start<DeadWriterReady>(new URL('./dead-writer-child.ts', import.meta.url), {
        DATA_DIR: folder,
        PORT: '0',
        LOG_LEVEL: 'silent',
        RATE_LIMIT_PER_MINUTE: '1000000000',
        RATE_LIMIT_PER_HOUR: '1000000000',
      })
      return await killWriter(child)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function killWriter(child: Child<DeadWriterReady>): Promise<Finding> {
  const client = new Client(`http://127.0.0.1:${child.ready.port}`, child.ready.apiKey)
  const acknowledged: string[] = []
  let batches = 0
  const refused: Record<string, number> = {}
  let isStopping = false
  const write = async (_: unknown, writer: number) => {
    const [path, body] = writer === 0 ? ['/v1/qr-codes/batch', { count: BATCH }] : ['/v1/qr-groups', { name: 'Group' }]
    while (!isStopping) {
      const given = sleep(GIVE_UP_MS, undefined, { ref: false }).then(() => undefined)
      const reply = await Promise.race([client.post(path, body).catch(() => undefined), given])
      if (reply?.status === 201 && writer === 0) batches++
      else if (reply?.status === 201) acknowledged.push(reply.body.id)
      else {
        const status = String(reply?.status ?? 'no response')
        refused[status] = (refused[status] ?? 0) + 1
        await sleep(50)
      }
    }
  }
  const writers = Array.from({ length: WRITERS }, write)
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(BETWEEN_KILLS_MS)
    await child.request({ kill: true })
  }
  await sleep(BETWEEN_KILLS_MS)
  const before = acknowledged.length
  await sleep(BETWEEN_KILLS_MS)
  const isWriting = acknowledged.length > before
  isStopping = true
  await Promise.all(writers)
  let lost = 0
  for (const id of acknowledged) if ((await client.get(`/v1/qr-groups/${id}`)).status !== 200) lost++
  // A batch may be stored although its response was lost, but never in part.
  const { total: codes } = (await client.get('/v1/qr-codes')).body
  const areWhole = codes >= batches * BATCH && codes % BATCH === 0
  const unclear = Object.keys(refused).filter((status) => status !== '503')
  const ready = (await client.get('/readyz')).status
  return {
    holds: isWriting && lost === 0 && areWhole && batches > 0 && unclear.length === 0 && ready === 200,
    figures: `${isWriting ? 'writes again' : 'never writes again'}; refused: ${JSON.stringify(refused)}; ${lost} of ${acknowledged.length} acknowledged lost; ${batches} batches of ${BATCH} acknowledged, ${codes} codes; /readyz ${ready}`,
  }
}
