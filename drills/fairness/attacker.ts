import { setPriority } from 'node:os'
import { Child } from '../../bench/support/children.ts'
import type { AttackName } from './attacks.ts'
import type { Statuses, Target } from './sending.ts'
import type { Stage } from './stage.ts'

export interface AttackOrder extends Target {
  attack: AttackName
  /** What the attack needs to know: ids, URLs. */
  given?: string[]
}

/** In reality the attacker has its own machine. Here it must not take the CPU of the service. */
const ATTACKER_NICE = 19

/** Attacks from a process of its own, until it is stopped. */
export class Attacker implements AsyncDisposable {
  readonly #child: Child<{ pid: number }>

  private constructor(child: Child<{ pid: number }>) {
    this.#child = child
  }

  static async start({ port }: Pick<Stage, 'port'>, order: Omit<AttackOrder, 'port'>): Promise<Attacker> {
    const child = await Child.start<{ pid: number }>(new URL('./attacker-child.ts', import.meta.url))
    setPriority(child.ready.pid, ATTACKER_NICE)
    await child.request({ ...order, port } satisfies AttackOrder)
    return new Attacker(child)
  }

  /** Returns what it has seen. */
  async stop(): Promise<Statuses> {
    const statuses = await this.#child.request<Statuses>({ stop: true })
    await this[Symbol.asyncDispose]()
    return statuses
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]()
  }
}

export const describeStatuses = (statuses: Statuses): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ') || 'no response'
