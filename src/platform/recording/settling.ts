import type { OrgId } from '../ids/index.ts'
import type { Recorder } from './recorder.ts'

/** What reads wait for: what was recorded before them must be stored and counted. */
export class Settling {
  readonly #recorders: Pick<Recorder<unknown>, 'settled'>[] = []

  watch(recorder: Pick<Recorder<unknown>, 'settled'>): void {
    this.#recorders.push(recorder)
  }

  /** Resolves when everything is stored that was durable at the time of the call. Undefined if it is. */
  settled(orgId: OrgId): Promise<unknown> | undefined {
    const waiting = this.#recorders.map((recorder) => recorder.settled(orgId)).filter((wait) => wait !== undefined)
    return waiting.length === 0 ? undefined : Promise.all(waiting)
  }
}
