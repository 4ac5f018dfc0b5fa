import { QueueFull } from '../../bounded/index.ts'

interface Waiting {
  isAlone: boolean
  start(): void
}

interface Lock {
  /** How many have entered, or `alone`. */
  entered: number | 'alone'
  /** In the order of arrival. */
  readonly waiting: Waiting[]
}

/**
 * While a transaction of an organisation is written in pieces, its other transactions wait: they would see a part of it, or
 * take a name that it needs. Those of other organisations do not.
 */
export class OrgLocks {
  readonly #locks = new Map<string, Lock>()
  readonly #waitingMax: number
  readonly #waitMsMax: number

  constructor({ waitingPerKeyMax, waitMsMax }: { waitingPerKeyMax: number; waitMsMax: number }) {
    this.#waitingMax = waitingPerKeyMax
    this.#waitMsMax = waitMsMax
  }

  /** Returns undefined if the caller has entered at once, as nearly always. Throws `QueueFull` if it would have to wait too long. */
  enter(orgId: string, how: 'shared' | 'alone'): Promise<void> | undefined {
    const isAlone = how === 'alone'
    const lock = this.#locks.get(orgId) ?? { entered: 0, waiting: [] }
    this.#locks.set(orgId, lock)
    if (lock.waiting.length > 0 || !canEnter(lock, isAlone)) return this.#wait(orgId, lock, isAlone)
    take(lock, isAlone)
    return undefined
  }

  leave(orgId: string): void {
    const lock = this.#locks.get(orgId) as Lock
    lock.entered = lock.entered === 'alone' ? 0 : lock.entered - 1
    this.#startWaiting(orgId, lock)
  }

  #wait(orgId: string, lock: Lock, isAlone: boolean): Promise<void> {
    if (lock.waiting.length >= this.#waitingMax)
      return Promise.reject(new QueueFull('too many transactions are waiting'))
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        isAlone,
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        lock.waiting.splice(lock.waiting.indexOf(waiting), 1)
        this.#startWaiting(orgId, lock)
        reject(new QueueFull(`the transaction waited for ${this.#waitMsMax} ms`))
      }, this.#waitMsMax)
      lock.waiting.push(waiting)
    })
  }

  #startWaiting(orgId: string, lock: Lock): void {
    for (let [next] = lock.waiting; next !== undefined && canEnter(lock, next.isAlone); [next] = lock.waiting) {
      lock.waiting.shift()
      take(lock, next.isAlone)
      next.start()
    }
    if (lock.entered === 0 && lock.waiting.length === 0) this.#locks.delete(orgId)
  }
}

const canEnter = ({ entered }: Lock, isAlone: boolean): boolean => (isAlone ? entered === 0 : entered !== 'alone')

function take(lock: Lock, isAlone: boolean): void {
  lock.entered = isAlone ? 'alone' : Number(lock.entered) + 1
}
