import { pipeline, type Readable, Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { FairQueue } from '../../bounded/index.ts'
import { SECOND_MS } from '../../clock/index.ts'
import { addressBlock } from '../server/address-block.ts'

/** This size and the pause allow about 80 MB a second for all clients. */
export const SLICE_BYTES = 128 * 1024
const PAUSE_MS = 1
const QUEUE_LIMITS = {
  runningMax: 1,
  /** One for each connection, if all clients share an address. */
  waitingPerKeyMax: 2000,
  waitMsMax: 30 * SECOND_MS,
}

/**
 * Sends large files in slices, with a pause after each. The system takes megabytes for each client, even for one that never
 * reads, so hundreds of them would occupy the main thread for seconds. Addresses take turns.
 */
export class Downloads {
  readonly queue = new FairQueue(QUEUE_LIMITS)

  constructor(refused: (limit: string) => void) {
    this.queue.onRefused = () => refused('downloads')
  }

  /** Returns what to send to the client instead of the file. */
  pace(address: string, file: Readable): Readable {
    const block = addressBlock(address)
    const paced = new Transform({
      transform: (slice, _encoding, next) =>
        void this.#turn(block).then(
          () => next(null, slice),
          (error) => next(error),
        ),
    })
    // Closes the file if the client leaves. Both streams report errors themselves.
    return pipeline(file, paced, () => {})
  }

  /** Resolves when the next slice may be sent. None follows until the pause is over. */
  #turn(block: string): Promise<void> {
    return new Promise((begin, refuse) => {
      const pause = () => {
        begin()
        return sleep(PAUSE_MS)
      }
      this.queue.run(block, pause).catch(refuse)
    })
  }
}
