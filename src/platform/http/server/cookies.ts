/** Returns the value of a cookie in a `Cookie` header. If it is there twice, neither is to be trusted. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined
  const values = header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined
}

/**
 * A cookie that only our own pages and requests get, and no script. `__Host-` makes browsers refuse one that another host
 * or an unencrypted page has set. They accept it only over HTTPS.
 */
export class SecretCookie {
  readonly name: string
  readonly #attributes: string

  constructor(name: string, appUrl: string, sameSite: 'Lax' | 'Strict') {
    const isSecure = appUrl.startsWith('https:')
    this.name = isSecure ? `__Host-${name}` : name
    this.#attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
  }

  read(header: string | undefined): string | undefined {
    return readCookie(header, this.name)
  }

  /** The value of a `Set-Cookie` header. */
  set(value: string, maxAgeSeconds: number): string {
    return `${this.name}=${value}; Max-Age=${maxAgeSeconds}; ${this.#attributes}`
  }

  clear(): string {
    return this.set('', 0)
  }
}
