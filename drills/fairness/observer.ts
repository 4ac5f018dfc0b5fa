import { Child } from '../../bench/support/children.ts'
import { FORM_PAGE, type Stage } from './stage.ts'

/** What another tenant, or a person with a phone, does meanwhile. */
export type Kind = 'scan' | 'health' | 'me' | 'write' | 'article' | 'page' | 'form'

/** The requests of one kind. Each is sent on time, whether or not earlier ones were answered. */
export interface Observed {
  count: number
  /** Timeouts, lost connections and unexpected statuses. */
  failed: number
  firstFailure?: string
  p50Ms: number
  p99Ms: number
}

export interface Observations {
  byKind: Partial<Record<Kind, Observed>>
  /** What the service confirmed: the ids of written groups and the numbers of scans. */
  groups: string[]
  scans: number[]
}

/** What an observed organisation has. */
export interface ObservedTenant {
  apiKey: string
  /** The slug of a code. */
  slug: string
  knowledgeBase: { id: string; slug: string }
  /** The slug of a page with a form. */
  formSlug: string
}

export interface ObserverOrder {
  port: number
  /** Their requests take turns. */
  tenants: ObservedTenant[]
  kinds: readonly Kind[]
  seconds: number
  /** Opens a connection for each request. */
  isFresh: boolean
}

/** Acts for organisations that do nothing unusual, in a process of its own, and measures how long they wait. */
export class Observer implements AsyncDisposable {
  readonly #child: Child<object>
  readonly #port: number
  readonly #tenants: ObservedTenant[]

  private constructor(child: Child<object>, port: number, tenants: ObservedTenant[]) {
    this.#child = child
    this.#port = port
    this.#tenants = tenants
  }

  static async start(stage: Stage, tenants: readonly ObservedTenant[] = []): Promise<Observer> {
    const observed = tenants.length > 0 ? [...tenants] : [await createObserved(stage)]
    const child = await Child.start<object>(new URL('./observer-child.ts', import.meta.url))
    return new Observer(child, stage.port, observed)
  }

  observe(kinds: readonly Kind[], seconds: number, isFresh = false): Promise<Observations> {
    const order: ObserverOrder = { port: this.#port, tenants: this.#tenants, kinds, seconds, isFresh }
    return this.#child.request<Observations>(order)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]()
  }
}

/** Creates an organisation with a code, a published knowledge base and a page with a form. */
export async function createObserved(stage: Stage, endpointUrl?: string): Promise<ObservedTenant> {
  const { client, apiKey } = await stage.createTenant('observer')
  const create = async (path: string, body: object) => {
    const { status, body: created, text } = await client.post(path, body)
    if (status !== 201) throw new Error(`cannot prepare: ${text}`)
    return created
  }
  const code = await create('/v1/qr-codes', { name: 'Chair', destination: { url: 'https://acme.com/care' } })
  const base = await create('/v1/knowledge-bases', { name: 'Care', is_published: true })
  const page = await create('/v1/pages', FORM_PAGE)
  if (endpointUrl !== undefined) await create('/v1/webhooks', { url: endpointUrl, events: ['qr_group.created'] })
  return {
    apiKey,
    slug: code.public_slug,
    knowledgeBase: { id: base.id, slug: base.public_slug },
    formSlug: page.public_slug,
  }
}
