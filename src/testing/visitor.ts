import { readCookie } from '../platform/http/server/cookies.ts'
import { rememberPassword, rememberToken } from './secrets-guard.ts'

export interface VisitedPage {
  status: number
  headers: Headers
  text: string
  /** Where a redirect leads. */
  location: string | null
}

/** Uses pages with forms as a browser does: it keeps cookies, sends hidden fields and says where it comes from. */
export class Visitor {
  readonly #baseUrl: string
  readonly #headers: Record<string, string>
  readonly cookies = new Map<string, string>()
  #page = ''

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.#baseUrl = baseUrl
    this.#headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...headers,
    }
  }

  open(path: string): Promise<VisitedPage> {
    return this.#send('GET', path, undefined, { 'sec-fetch-site': 'none' })
  }

  /** Sends a form with the hidden token of the last page. */
  send(
    path: string,
    fields: Record<string, string> | URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<VisitedPage> {
    const token = /name="form_token" value="([^"]+)"/.exec(this.#page)?.[1] ?? ''
    const body = new URLSearchParams(fields)
    if (!body.has('form_token')) body.set('form_token', token)
    return this.#send('POST', path, body, { 'sec-fetch-site': 'same-origin', ...headers })
  }

  /** Opens a page and sends the form on it to the same path. */
  async fillIn(path: string, fields: Record<string, string>): Promise<VisitedPage> {
    await this.open(path)
    return this.send(path.split('?')[0] as string, fields)
  }

  async #send(
    method: string,
    path: string,
    body: URLSearchParams | undefined,
    headers: Record<string, string>,
  ): Promise<VisitedPage> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(this.#baseUrl + path, {
      method,
      redirect: 'manual',
      headers: { ...this.#headers, ...(cookie !== '' && { cookie }), ...headers },
      ...(body && { body }),
    })
    for (const set of response.headers.getSetCookie()) this.#keep(set)
    const text = await response.text()
    if (text !== '') this.#page = text
    for (const [name, value] of body ?? []) if (name.includes('password')) rememberPassword(value)
    for (const [, token = ''] of path.matchAll(/[?&]token=([0-9A-Za-z]{43})\b/g)) rememberToken(token)
    for (const [, shown = ''] of text.matchAll(/class="secret">([^<]+)</g)) rememberPassword(shown.replaceAll(' ', ''))
    return { status: response.status, headers: response.headers, text, location: response.headers.get('location') }
  }

  #keep(setCookie: string): void {
    const name = setCookie.slice(0, setCookie.indexOf('='))
    const value = readCookie(setCookie, name) ?? ''
    if (/Max-Age=0;/.test(setCookie)) this.cookies.delete(name)
    else this.cookies.set(name, value)
    if (name === 'waymark_session') rememberToken(value)
  }
}
