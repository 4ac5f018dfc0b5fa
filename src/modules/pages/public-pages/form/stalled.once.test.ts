/** A sender that stops in the middle of a file is cut off, and what it occupied is free again. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RawClient } from '../../../../platform/http/testing/raw-client.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { type Harness, useHarness } from '../../../../testing/harness.ts'
import { createPage, FIELDS, PageVisitor, PHOTOS, submissionsOf, valuesOf } from '../../../../testing/page-visitor.ts'

const config = { trustProxy: '127.0.0.1', metricsPort: 0 }
const ADDRESS = '10.1.2.3'
/** How many one address may send at a time. */
const TURNS = 4
const BOUNDARY = 'waymark-boundary'
const PDF = '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'

async function start(harness: Harness) {
  const acme = await harness.createTenant()
  const page = await createPage(acme, [...FIELDS, PHOTOS])
  return { acme, page, visitor: new PageVisitor(harness, page, ADDRESS) }
}

function sendHead({ service }: Harness, path: string, type: string, length: number): RawClient {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Sec-Fetch-Site: same-origin',
    `X-Forwarded-For: ${ADDRESS}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
  ]
  return new RawClient(service.port).send(`${head.join('\r\n')}\r\n\r\n`)
}

const part = (name: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}`

/** Sends a text, the beginning of a file, and then nothing more. */
const stallForm = (harness: Harness, path: string) =>
  sendHead(harness, path, `multipart/form-data; boundary=${BOUNDARY}`, 900_000).send(
    `${part('what', 'It leaks')}\r\n${part('photos"; filename="a.pdf', PDF.padEnd(300_000))}`,
  )

const stallFile = (harness: Harness, path: string) =>
  sendHead(harness, `${path}/files?field=photos&name=a.pdf`, 'application/pdf', 900_000).send(PDF.padEnd(300_000))

const stagedIn = async ({ folder }: Harness): Promise<string[]> =>
  (await readdir(join(folder, 'assets')).catch(() => [])).filter((name) => name.endsWith('.partial'))

async function hasMetric({ service }: Harness, line: string): Promise<boolean> {
  const metrics = await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text()
  return metrics.split('\n').includes(line)
}

/** Waits until this many visitors send files, each of which is on the disk. */
const occupied = (harness: Harness, count: number) =>
  eventually(
    async () =>
      (await stagedIn(harness)).length === count &&
      (await hasMetric(harness, `waymark_queue_running{queue="visitor_uploads"} ${count}`)),
  )

describe.each([
  ['a form', stallForm],
  ['a file', stallFile],
])('%s that stops arriving', (_name, stall) => {
  const harness = useHarness({
    config,
    overrides: { uploadTimes: { stalledMs: 300 }, connectionLimits: { drainMs: 100 } },
  })

  test('gets 408 and is disconnected, and leaves its turns free and no file behind', async () => {
    const { acme, page, visitor } = await start(harness)
    const clients = Array.from({ length: TURNS }, () => stall(harness, visitor.path))
    for (const client of clients) {
      expect(await client.status()).toBe(408)
      await client.closed()
    }
    expect(await hasMetric(harness, `waymark_refused_total{limit="body_time"} ${TURNS}`)).toBe(true)
    await occupied(harness, 0)
    const sent = await visitor.sendFiles({ what: 'It leaks' }, [['photos', Buffer.from(PDF), 'a.pdf']])
    expect(sent.status).toBe(303)
    const received = await submissionsOf(harness, acme, page)
    expect(received.map(valuesOf)).toMatchObject([{ Photos: [{ file_name: 'a.pdf' }] }])
  })
})

describe.each([
  ['a form', stallForm],
  ['a file', stallFile],
])('%s whose sender leaves', (_name, stall) => {
  const harness = useHarness({ config })

  test('occupies a turn of its address until then, and leaves no file behind', async () => {
    const { acme, page, visitor } = await start(harness)
    const clients = Array.from({ length: TURNS }, () => stall(harness, visitor.path))
    await occupied(harness, TURNS)
    const other = new PageVisitor(harness, page)
    expect((await other.upload('photos', 'b.pdf', Buffer.from(PDF))).status).toBe(200)
    const waiting = visitor.upload('photos', 'c.pdf', Buffer.from(PDF))
    for (const { socket } of clients) socket.destroy()
    expect((await waiting).status).toBe(200)
    await occupied(harness, 0)
    expect(await submissionsOf(harness, acme, page)).toEqual([])
  })
})
