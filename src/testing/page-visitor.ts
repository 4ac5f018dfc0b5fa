import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Harness, Tenant } from './harness.ts'

export const FIELDS = [
  { type: 'heading', config: { text: 'Report a fault', level: 1 } },
  { type: 'form_textarea', config: { label: 'What happened?', name: 'what', required: true, max: 200 } },
  { type: 'form_email', config: { label: 'Email', name: 'email' } },
  {
    type: 'form_checkbox',
    config: {
      label: 'Where?',
      name: 'where',
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    },
  },
]
export const PHOTOS = {
  type: 'form_media',
  config: { label: 'Photos', name: 'photos', accept: ['image', 'pdf'], max_files: 2, max_size_mb: 1 },
}

/** Creates a page by the API. */
export async function createPage(tenant: Tenant, blocks: readonly object[] = FIELDS, more: object = {}): Promise<any> {
  const reply = await tenant.post('/v1/pages', { title: 'Report a fault', status: 'active', blocks, ...more })
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}

interface FormReply {
  status: number
  headers: Headers
  text: string
  json: any
}

/** A visitor of one page who has an address of their own. */
export class PageVisitor {
  readonly #harness: Harness
  readonly path: string
  readonly address: string
  cookie = ''
  hidden: Record<string, string> = {}

  constructor(harness: Harness, page: { public_slug: string }, address = randomAddress()) {
    this.#harness = harness
    this.path = `/p/${page.public_slug}`
    this.address = address
  }

  /** Opens the page and waits as long as a person does. */
  async open(waitMs = 5000): Promise<string> {
    const { text, headers } = await this.request('GET', this.path)
    this.cookie = headers.getSetCookie()[0]?.split(';')[0] ?? this.cookie
    this.hidden = hiddenIn(text)
    this.#harness.advance(waitMs)
    return text
  }

  send(fields: Record<string, string | string[]>, headers: Record<string, string> = {}): Promise<FormReply> {
    const body = new URLSearchParams(Object.entries(this.hidden))
    for (const [name, value] of Object.entries(fields)) {
      body.delete(name)
      for (const one of [value].flat()) body.append(name, one)
    }
    return this.request('POST', this.path, body, headers)
  }

  sendByScript(fields: Record<string, string | string[]>): Promise<FormReply> {
    return this.send(fields, { accept: 'application/json' })
  }

  sendFiles(
    fields: Record<string, string>,
    files: [field: string, content: Uint8Array, name: string][],
  ): Promise<FormReply> {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...this.hidden, ...fields })) body.append(name, value)
    for (const [field, content, name] of files) body.append(field, new Blob([content as Uint8Array<ArrayBuffer>]), name)
    return this.request('POST', this.path, body)
  }

  upload(field: string, name: string, content: Uint8Array): Promise<FormReply> {
    const query = new URLSearchParams({ field, name })
    return this.request('POST', `${this.path}/files?${query}`, content as Uint8Array<ArrayBuffer>)
  }

  async challenge(): Promise<{ challenge: string; bits: number }> {
    return (await this.request('GET', `${this.path}/challenge`)).json
  }

  /** An empty header is not sent. */
  async request(
    method: string,
    path: string,
    body?: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
  ): Promise<FormReply> {
    const response = await fetch(this.#harness.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: Object.entries({
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        'sec-fetch-site': method === 'GET' ? 'none' : 'same-origin',
        'x-forwarded-for': this.address,
        cookie: this.cookie,
        ...headers,
      }).filter(([, value]) => value !== ''),
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
}

/** Where a form has led to, without the token of its receipt, which is always another one. */
export const withoutReceipt = (location: string | null): string | undefined =>
  location?.replace(/&_wm_receipt=[\w-]{43}$/, '')

/** The hidden fields of a page. */
export const hiddenIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g)].map(([, name, value]) => [
      name,
      value ?? '',
    ]),
  )

/** The values of the boxes that keep files. */
export const tokensIn = (text: string): string[] =>
  [...text.matchAll(/name="_wm_file:photos" value="([^"]+)"/g)].map(([, token]) => token as string)

const randomAddress = (): string =>
  `10.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.${1 + Math.floor(Math.random() * 250)}`

/** Does the work of a challenge. In between, the service in this process handles connections. */
export async function solve({ challenge, bits }: { challenge: string; bits: number }): Promise<string> {
  for (let n = 0; ; n++) {
    if (n % 1000 === 0) await setImmediate()
    const digest = hash('sha256', `${challenge}:${n}`, 'buffer')
    if (digest.readUInt32BE() >>> (32 - bits) === 0) return `${challenge}:${n}`
  }
}

export interface StoredSubmission {
  id: string
  number: number
  status: string
  spam_reason: string | null
  data: Record<string, { type: string; label: string; value: any; order: number }>
  metadata: Record<string, string>
  object_id: string | null
}

/** What was received, in order. */
export async function submissionsOf(
  harness: Harness,
  tenant: Tenant,
  page: { id: string },
): Promise<StoredSubmission[]> {
  const rows = await harness.service.database.kysely
    .selectFrom('submissions')
    .selectAll()
    .where('org_id', '=', tenant.orgId)
    .where('page_id', '=', page.id)
    .orderBy('number')
    .execute()
  return rows as unknown as StoredSubmission[]
}

/** The values of a submission, by label. */
export const valuesOf = ({ data }: StoredSubmission): Record<string, unknown> =>
  Object.fromEntries(Object.values(data).map(({ label, value }) => [label, value]))
