import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { YOUNG_MB_MAX } from '../../bounded/index.ts'
import { DatabaseUnavailable } from '../failures.ts'
import type { ToFailure } from '../statements/run-without-result.ts'
import { toError } from './failures.ts'
import { type StatementResult, toResult } from './statements.ts'
import type { Command, Reply, ThreadData, ThreadOptions } from './thread.ts'

type CommandWithoutId = Command extends infer C ? (C extends Command ? Omit<C, 'id'> : never) : never
type Silent = Extract<CommandWithoutId, { do: 'run' | 'commit' }>

interface Pending {
  resolve(result: StatementResult): void
  reject(error: unknown): void
  /** What had been sent in all, this command included. */
  sentBytes: number
}

/** What is held back at most. Beyond this, the thread can begin with it. */
const HELD_BYTES_MAX = 16 * 1024
/** What the thread may have to do when the next transaction starts. The rest waits, so that turns are decided late. */
const UNDONE_BYTES_MAX = 64 * 1024
/** Each command counts at least as much. */
const COMMAND_BYTES = 256

/** The commands to a thread, and its replies. When the thread ends, every pending and later command fails. */
export class ThreadChannel {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #pending = new Map<number, Pending>()
  /** What the failure of a command means to whom it makes fail. */
  readonly #meanings = new Map<number, ToFailure>()
  #lastId = 0
  #held: Command[] = []
  #heldBytes = 0
  #sentBytes = 0
  #doneBytes = 0
  #progress: PromiseWithResolvers<void> | undefined
  #failure: DatabaseUnavailable | undefined

  constructor(options: ThreadOptions) {
    // A port of its own, because that of a worker cannot be asked for what has arrived.
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { ...options, port: port2 } satisfies ThreadData,
      transferList: [port2],
      name: `sqlite-${options.mode}`,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB_MAX },
    })
    this.#port.on('message', (replies: Reply[]) => this.#receive(replies))
    let cause: unknown
    this.#worker.on('error', (error) => {
      cause = error
    })
    // Comes when its locks on the database are released.
    this.#worker.on('exit', () => {
      this.takeReplies()
      this.#end(cause)
    })
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined
  }

  /** Sends a command without a reply together with the next one: a message costs more than most statements. */
  hold(command: Silent, meaning?: ToFailure): void {
    if (this.hasEnded) return
    const id = this.#add(command)
    if (meaning !== undefined) this.#meanings.set(id, meaning)
    if (this.#heldBytes > HELD_BYTES_MAX) this.#post()
  }

  send(command: CommandWithoutId): Promise<StatementResult> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const id = this.#add(command)
    this.#post()
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, sentBytes: this.#sentBytes })
    })
  }

  /** Whether the thread has much to do. */
  get isBehind(): boolean {
    return this.#sentBytes - this.#doneBytes > UNDONE_BYTES_MAX
  }

  async caughtUp(): Promise<void> {
    while (this.isBehind && !this.hasEnded) {
      this.#progress ??= Promise.withResolvers()
      await this.#progress.promise
    }
  }

  /** Settles what the thread has replied to by now. */
  takeReplies(): void {
    if (this.#pending.size === 0) return
    for (let next = receiveMessageOnPort(this.#port); next !== undefined; next = receiveMessageOnPort(this.#port))
      this.#receive(next.message)
  }

  async close(): Promise<void> {
    if (this.hasEnded) return
    await this.send({ do: 'close' })
    await this.#worker.terminate()
  }

  #add(command: CommandWithoutId): number {
    const id = ++this.#lastId
    this.#held.push({ ...command, id } as Command)
    this.#heldBytes += sizeOf(command)
    return id
  }

  #post(): void {
    this.#port.postMessage(this.#held)
    this.#sentBytes += this.#heldBytes
    this.#held = []
    this.#heldBytes = 0
  }

  #receive(replies: Reply[]): void {
    for (const reply of replies) this.#settle(reply)
    this.#progressed()
  }

  #settle(reply: Reply): void {
    const { id } = reply
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (pending !== undefined) this.#doneBytes = Math.max(this.#doneBytes, pending.sentBytes)
    if ('failure' in reply) {
      const error = toError(reply.failure)
      pending?.reject(this.#meanings.get(reply.statement)?.(error) ?? error)
    } else if (pending !== undefined) {
      try {
        pending.resolve(toResult(reply.result))
      } catch (error) {
        pending.reject(error)
      }
    }
    // The thread runs commands in order: earlier ones cannot fail any more.
    for (const earlier of this.#meanings.keys()) {
      if (earlier >= id) break
      this.#meanings.delete(earlier)
    }
  }

  #progressed(): void {
    this.#progress?.resolve()
    this.#progress = undefined
  }

  #end(cause: unknown): void {
    this.#failure = new DatabaseUnavailable('the thread of the database has ended', cause)
    for (const { reject } of this.#pending.values()) reject(this.#failure)
    this.#pending.clear()
    this.#progressed()
  }
}

function sizeOf(command: CommandWithoutId): number {
  if (!('sql' in command)) return COMMAND_BYTES
  let bytes = COMMAND_BYTES + (command.each?.length ?? 0)
  for (const value of command.parameters) if (typeof value === 'string') bytes += value.length
  return bytes
}
