import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'

/** A receiver that somebody copied from the guide, in a process of its own. */
export interface ReceiverProcess {
  readonly port: number
  /** Everything that it printed so far. */
  readonly output: string
  /** What it printed about its work, as soon as that is so many lines. */
  work(lines: number): Promise<string[]>
  /** The status that it answers, or `broken` when it closes the connection instead. */
  post(headers: Record<string, string>, body: Buffer): Promise<number | 'broken'>
}

const running = new Set<ChildProcess>()
/** Ends a receiver whose test did not, however that came about. */
const LIFETIME_MS = 60_000

/** For `afterEach`: nothing that a test started outlives it. */
export async function killReceivers(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      if (child.kill('SIGKILL')) await once(child, 'close')
    }),
  )
}

/** Starts it on a port of the system's choice; throws what it printed when it ends instead. */
export async function startReceiver(command: string, args: string[], secret: string): Promise<ReceiverProcess> {
  const child = spawn(command, args, {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIFETIME_MS,
  })
  running.add(child)
  let output = ''
  const lines: string[] = []
  const reader = createInterface(child.stdout).on('line', (line) => {
    output += `${line}\n`
    lines.push(line)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = once(child, 'close').then(() => {
    running.delete(child)
    throw new Error(`The receiver ended: ${output}`)
  })
  ended.catch(() => {})
  const printed = async (count: number): Promise<void> => {
    while (lines.length < count) await Promise.race([once(reader, 'line'), ended])
  }

  await printed(1)
  const port = Number(/^Listening on port (\d+)$/.exec(lines[0] ?? '')?.[1])
  return {
    port,
    get output() {
      return output
    },
    async work(count) {
      await printed(count + 1)
      return lines.slice(1)
    },
    post: (headers, body) => post(port, headers, body),
  }
}

function post(port: number, headers: Record<string, string>, body: Buffer): Promise<number | 'broken'> {
  const { promise, resolve } = Promise.withResolvers<number | 'broken'>()
  request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
    .on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 'broken')
    })
    .on('error', () => resolve('broken'))
    .end(body)
  return promise
}
