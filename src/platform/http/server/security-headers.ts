import type { OutgoingHttpHeaders } from 'node:http'
import { EXPOSED, FROM_ANYWHERE, isOfApi } from './cross-origin.ts'
import { TrackedResponse } from './tracked-response.ts'

export interface SecuredUrls {
  appUrl: string
  publicUrl: string
}

const NO_SNIFFING: readonly [string, string] = ['x-content-type-options', 'nosniff']
/** Excludes subdomains: they may belong to other services of the operator or of a customer. */
const HTTPS_ONLY: readonly [string, string] = ['strict-transport-security', 'max-age=31536000']

const isHttps = (url: string): boolean => url.startsWith('https:')

/**
 * Returns the class of a server's responses, which adds security headers to each of them, also to errors. They make browsers
 * stay on HTTPS if both URLs use it. That includes customers' own domains, which are served like the public URL.
 */
export function securedResponse({ appUrl, publicUrl }: SecuredUrls): typeof TrackedResponse {
  const added = isHttps(appUrl) && isHttps(publicUrl) ? [NO_SNIFFING, HTTPS_ONLY] : [NO_SNIFFING]
  // Printed codes that begin with http:// must keep working.
  const appHost = isHttps(appUrl) && !isHttps(publicUrl) ? new URL(appUrl).host : undefined
  return class SecuredResponse extends TrackedResponse {
    override writeHead(status: number, ...rest: unknown[]): this {
      const headers = rest.at(-1)
      for (const [name, value] of added) this.#add(headers, name, value)
      if (isOfApi(this.req.url ?? '')) {
        this.#add(headers, ...FROM_ANYWHERE)
        if (this.req.headers.origin !== undefined) this.#add(headers, ...EXPOSED)
      }
      if (appHost !== undefined && this.req.headers.host === appHost) this.#add(headers, ...HTTPS_ONLY)
      return super.writeHead(status, ...(rest as [OutgoingHttpHeaders]))
    }

    #add(headers: unknown, name: string, value: string): void {
      if (Array.isArray(headers)) headers.push(name, value)
      else if (typeof headers === 'object' && headers !== null) (headers as OutgoingHttpHeaders)[name] = value
      else this.setHeader(name, value)
    }
  }
}

/** The Content-Security-Policy of a page. It allows only these sources. `ancestors` may show the page in a frame. */
export const pagePolicy = (sources: readonly string[], formAction = "'none'", ancestors = "'none'"): string =>
  [
    "default-src 'none'",
    ...sources,
    `form-action ${formAction}`,
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ')
