import type { OrgId } from '../ids/index.ts'

interface Source {
  /** Resolves when everything is stored that was there at the time of the call. Undefined if it is. */
  settled(orgId: OrgId): Promise<void> | undefined
}

/** What requests wait for, because it is stored later than it happens. */
export class Settling {
  readonly #recorders: Source[] = []
  readonly #changers: Source[] = []

  /** Reads wait for what it records. A change does not: it would wait twice for the writer, and reads nothing for itself. */
  watch(recorder: Source): void {
    this.#recorders.push(recorder)
  }

  /** It makes changes of its own, after which later ones come. */
  watchChanges(changer: Source): void {
    this.#changers.push(changer)
  }

  /** Undefined if there is nothing to wait for. */
  beforeRead(orgId: OrgId): Promise<unknown> | undefined {
    return settled(orgId, [...this.#recorders, ...this.#changers])
  }

  beforeChange(orgId: OrgId): Promise<unknown> | undefined {
    return settled(orgId, this.#changers)
  }
}

function settled(orgId: OrgId, sources: readonly Source[]): Promise<unknown> | undefined {
  const waiting = sources.map((source) => source.settled(orgId)).filter((wait) => wait !== undefined)
  return waiting.length === 0 ? undefined : Promise.all(waiting)
}
