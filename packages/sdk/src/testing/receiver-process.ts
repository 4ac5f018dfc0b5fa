import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'

/** A receiver from the guide in a separate process. */
export interface ReceiverProcess {
  readonly port: number
  /** Its stdout and stderr so far. */
  readonly output: string
  /** Waits until it has processed this many deliveries and returns the lines that it printed for them. */
  work(lines: number): Promise<string[]>
  /** Returns the status of the response, or `broken` when the receiver closes the connection instead. */
  post(headers: Record<string, string>, body: Buffer): Promise<number | 'broken'>
}

const running = new Set<ChildProcess>()
/** A receiver that a test failed to stop ends after this time. */
const LIFETIME_MS = 60_000

/** Call it in `afterEach`: kills every receiver that the test started. */
export async function killReceivers(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      if (child.kill('SIGKILL')) await once(child, 'close')
    }),
  )
}

/** Starts a receiver on a free port. Throws with its output when it exits instead. */
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
    throw new Error(`the receiver exited: ${output}`)
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
