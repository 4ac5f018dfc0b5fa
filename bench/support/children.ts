import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

const STOP_TIMEOUT_MS = 10_000
const USAGE = 'usage'

/** The resources that a process has used since it started. */
export interface Usage {
  /** CPU time of all threads. */
  cpuMicros: number
  /** CPU time of the main thread, which handles requests. */
  mainThreadMicros: number
  rssBytes: number
  /** The number of batches that it has committed. */
  batches: number
}

/** A child process, so that the measured code and the measuring code share no event loop. */
export class Child<Ready> implements AsyncDisposable {
  readonly ready: Ready
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, ready: Ready) {
    this.#process = process
    this.ready = ready
  }

  /** Runs a script. Its first message becomes `ready`; its standard output is discarded. */
  static async start<Ready>(script: URL, environment: Record<string, string> = {}): Promise<Child<Ready>> {
    const child = fork(script, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    return new Child(child, await nextMessage<Ready>(child, script.pathname))
  }

  request<Response>(message: object): Promise<Response> {
    const response = nextMessage<Response>(this.#process, 'the child process')
    this.#process.send(message)
    return response
  }

  usage(): Promise<Usage> {
    return this.request<Usage>({ request: USAGE })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    const killTimer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exited
    clearTimeout(killTimer)
  }
}

function nextMessage<Message>(child: ChildProcess, name: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${name} exited with code ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as Message)
    })
  })
}

/** Called in a child: ends it when the parent stops it or exits, even if the parent crashes. */
export function endWithParent(close: () => Promise<unknown>): void {
  const end = () => close().finally(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('disconnect', end)
}

/** Called in a child: sends its `Usage` on request. */
export function reportUsage(batches: () => number = () => 0): void {
  process.on('message', (message: { request?: string }) => {
    if (message.request !== USAGE) return
    process.send?.({
      cpuMicros: sum(process.cpuUsage()),
      mainThreadMicros: sum(process.threadCpuUsage()),
      rssBytes: process.memoryUsage.rss(),
      batches: batches(),
    } satisfies Usage)
  })
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system
