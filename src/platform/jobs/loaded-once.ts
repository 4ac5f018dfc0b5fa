/** Something that few processes need, loaded on first use. If that fails, the next use tries again. */
export class LoadedOnce<T> {
  readonly #load: () => Promise<T>
  #loaded: Promise<T> | undefined

  constructor(load: () => Promise<T>) {
    this.#load = load
  }

  get(): Promise<T> {
    this.#loaded ??= this.#load().catch((error) => {
      this.#loaded = undefined
      throw error
    })
    return this.#loaded
  }
}
