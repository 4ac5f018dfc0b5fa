const LONG_MS = 10
const ORGANISATIONS_MAX = 1000

/**
 * The organisations whose last transaction was a long one. The next one is committed separately: otherwise, short ones
 * that were finished before would wait until it is finished, too.
 */
export class LongWriters {
  readonly #orgIds = new Set<string>()

  has(orgId: string): boolean {
    return this.#orgIds.has(orgId)
  }

  note(orgId: string, openMs: number): void {
    this.#orgIds.delete(orgId)
    if (openMs < LONG_MS) return
    this.#orgIds.add(orgId)
    const [first] = this.#orgIds
    if (this.#orgIds.size > ORGANISATIONS_MAX && first !== undefined) this.#orgIds.delete(first)
  }
}
