import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { killReceivers, startReceiver } from './testing/receiver-process.ts'
import { signature } from './testing/sign.ts'
import { bytesOf, readVectors } from './testing/vectors.ts'

const SECRET = `whsec_${'5e'.repeat(32)}`
const BODY_BYTES_MAX = 256 * 1024
const guide = await readFile(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
const vectors = await readVectors()

interface Language {
  name: string
  command: string
  file: string
  /** Arguments that run the file with a fixed clock, because the vectors were signed at a fixed time. */
  atSecond(file: string, seconds: number): string[]
}

const LANGUAGES: Language[] = [
  {
    name: 'Node',
    command: process.execPath,
    file: 'receiver.mjs',
    atSecond: (file, seconds) => ['--import', `data:text/javascript,Date.now=()=>${seconds}000`, file],
  },
  {
    name: 'Python',
    command: 'python3',
    file: 'receiver.py',
    atSecond: (file, seconds) => [
      '-c',
      `import runpy, sys, time; time.time = lambda: ${seconds}; runpy.run_path(sys.argv[1], run_name="__main__")`,
      file,
    ],
  },
]

/** Returns the code block of the guide whose first line is a comment with this file name. */
function codeFromGuide(file: string): string {
  const code = guide.split('```').find((block) => /^\w+\n(?:\/\/|#) (\S+):/.exec(block)?.[1] === file)
  if (code === undefined) throw new Error(`docs/webhooks.md contains no ${file}`)
  return code.slice(code.indexOf('\n') + 1)
}

const now = () => Math.floor(Date.now() / 1000)
const delivery = (id: string, body: string | Buffer, { secret = SECRET, time = now() } = {}) => ({
  'Content-Type': 'application/json',
  'X-Service-Event': 'qr_code.scanned',
  'X-Service-Delivery': id,
  'X-Service-Timestamp': String(time),
  'X-Service-Signature': signature(secret, time, body),
})
const BODY = Buffer.from('{"object":"scan","location":{"city":"Köln"}}')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-receivers-'))
})
afterEach(killReceivers)
afterAll(() => rm(folder, { recursive: true }))

describe.each(LANGUAGES)('the receiver in $name', ({ command, file, atSecond }) => {
  const isInstalled = spawnSync(command, ['--version']).status === 0
  const guarantees = test.skipIf(!isInstalled)
  const note = isInstalled ? '' : ` (skipped: ${command} is not installed)`

  const start = async (args: (path: string) => string[] = (path) => [path], secret = SECRET) => {
    const path = join(folder, file)
    await writeFile(path, codeFromGuide(file))
    return startReceiver(command, args(path), secret)
  }

  guarantees(`accepts the valid test vectors and rejects the others${note}`, async () => {
    // The receivers of the guide support one secret.
    const bySecret = Map.groupBy(
      vectors.filter(({ secrets }) => secrets.length === 1),
      ({ secrets, now }) => `${secrets[0]} ${now}`,
    )
    for (const group of bySecret.values()) {
      const { secrets, now } = group[0]!
      const receiver = await start((path) => atSecond(path, now), secrets[0])
      for (const vector of group) {
        const status = await receiver.post(vector.headers, bytesOf(vector))
        const expected = vector.valid ? [204] : vector.reason === 'malformed_payload' ? [400, 'broken'] : [401]
        expect(expected, vector.name).toContain(status)
      }
      expect(receiver.output).not.toContain(secrets[0])
    }
  })

  guarantees(`processes a repeated delivery once${note}`, async () => {
    const receiver = await start()
    const [first, second] = [randomUUID(), randomUUID()]
    for (const [id, time] of [
      [first, now()],
      [first, now() - 5],
      [second, now()],
    ] as const) {
      expect(await receiver.post(delivery(id, BODY, { time }), BODY)).toBe(204)
    }
    expect(await receiver.work(2)).toEqual([`qr_code.scanned ${first} scan`, `qr_code.scanned ${second} scan`])
  })

  guarantees(`accepts a delivery whose id was used before in a forged request${note}`, async () => {
    const receiver = await start()
    const id = randomUUID()
    expect(await receiver.post(delivery(id, BODY, { secret: `${SECRET}0` }), BODY)).toBe(401)
    expect(await receiver.post(delivery(id, BODY, { time: now() - 400 }), BODY)).toBe(401)
    expect(await receiver.post(delivery(id, BODY), BODY)).toBe(204)
    expect(await receiver.work(1)).toEqual([`qr_code.scanned ${id} scan`])
  })

  guarantees(`accepts the largest body that Waymark sends and rejects a larger one${note}`, async () => {
    const receiver = await start()
    const bodyOf = (bytes: number) => Buffer.from(`{"object":"${'x'.repeat(bytes - 13)}"}`)
    const largest = bodyOf(BODY_BYTES_MAX)
    expect(largest).toHaveLength(BODY_BYTES_MAX)
    expect(await receiver.post(delivery(randomUUID(), largest), largest)).toBe(204)
    const larger = bodyOf(BODY_BYTES_MAX + 1)
    // The receiver closes the connection while we are still sending, so we may not get to read the response.
    expect([413, 'broken']).toContain(await receiver.post(delivery(randomUUID(), larger), larger))
  })

  guarantees(`keeps working after a sender disconnects mid-request${note}`, async () => {
    const receiver = await start()
    const socket = connect(receiver.port, '127.0.0.1')
    socket.end('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"object":').resume()
    await once(socket, 'close')
    const id = randomUUID()
    expect(await receiver.post(delivery(id, BODY), BODY)).toBe(204)
    expect(await receiver.work(1)).toEqual([`qr_code.scanned ${id} scan`])
  })

  guarantees(`does not start without a secret${note}`, async () => {
    await expect(start(undefined, '')).rejects.toThrow('WEBHOOK_SECRET is not set')
  })
})
