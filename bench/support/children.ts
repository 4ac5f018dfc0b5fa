import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

const STOP_TIMEOUT_MS = 10_000
const USAGE = 'usage'

/** What a process has used until now. */
export interface Usage {
  /** Processor time over all its threads. */
  cpuMicros: number
  /** Of that, the thread that answers requests. */
  mainThreadMicros: number
  rssBytes: number
  /** How many batches of scans it has made durable. */
  batches: number
}

/** A process of its own, so that what is measured shares no event loop with what measures. */
export class Child<Ready> implements AsyncDisposable {
  readonly ready: Ready
  readonly #process: ChildProcess

  private constructor(process: ChildProcess, ready: Ready) {
    this.#process = process
    this.ready = ready
  }

  /** Runs a script; the first message it sends is its `ready`. Its standard output is discarded. */
  static async start<Ready>(script: URL, environment: Record<string, string> = {}): Promise<Child<Ready>> {
    const child = fork(script, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    return new Child(child, await nextMessage<Ready>(child, script.pathname))
  }

  ask<Answer>(question: object): Promise<Answer> {
    const answer = nextMessage<Answer>(this.#process, 'the child')
    this.#process.send(question)
    return answer
  }

  usage(): Promise<Usage> {
    return this.ask<Usage>({ ask: USAGE })
  }

  /** The processor time that the child has used until now, over all its threads. */
  async cpuMicros(): Promise<number> {
    return (await this.usage()).cpuMicros
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    const tooLate = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await exited
    clearTimeout(tooLate)
  }
}

function nextMessage<Message>(child: ChildProcess, name: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${name} ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as Message)
    })
  })
}

/** For the children: ends them when their parent is gone, however it went. */
export function endWithParent(close: () => Promise<unknown>): void {
  const end = () => close().finally(() => process.exit(0))
  process.once('SIGTERM', end)
  process.once('disconnect', end)
}

/** For the children: tells what they use. */
export function tellUsage(batches: () => number = () => 0): void {
  process.on('message', (message: { ask?: string }) => {
    if (message.ask !== USAGE) return
    process.send?.({
      cpuMicros: sum(process.cpuUsage()),
      mainThreadMicros: sum(process.threadCpuUsage()),
      rssBytes: process.memoryUsage.rss(),
      batches: batches(),
    } satisfies Usage)
  })
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system
