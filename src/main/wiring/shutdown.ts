type Step = () => unknown

/**
 * What must be done at shutdown. First ends what requests wait for, then the server completes its requests, then
 * everything else is released in the reverse of the order in which it was created.
 */
export class Shutdown {
  readonly #first: Step[] = []
  readonly #last: Step[] = []
  /** Completes the requests in flight. */
  closeServer: Step = () => {}

  /** Adds a step that runs before the server waits for its requests. */
  atFirst(step: Step): void {
    this.#first.push(step)
  }

  /** Once there are no more requests. */
  atLast(step: Step): void {
    this.#last.push(step)
  }

  async run(): Promise<void> {
    for (const step of [...this.#last, this.closeServer, ...this.#first].reverse()) await step()
  }
}
