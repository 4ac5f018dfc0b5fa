interface KnownPath {
  methods: Set<string>
  /** Made when it is first needed: there are hundreds, and only errors need them. */
  pattern?: RegExp
}

/** The paths that the framework serves, and their methods. */
export class KnownPaths {
  readonly #byUrl = new Map<string, KnownPath>()

  /** `url` is a path as the framework's router writes it: `/v1/objects/:id`, `/account/*`. */
  add(url: string, methods: string | readonly string[]): void {
    const known = this.#byUrl.get(url) ?? { methods: new Set() }
    for (const method of [methods].flat()) known.methods.add(method)
    this.#byUrl.set(url, known)
  }

  /** Empty for an unknown path. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>()
    for (const [url, known] of this.#byUrl) {
      known.pattern ??= toPattern(url)
      if (known.pattern.test(path)) for (const method of known.methods) methods.add(method)
    }
    return [...methods]
  }
}

const toPattern = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replace(/:\w+/g, '[^/]+')}$`,
  )
