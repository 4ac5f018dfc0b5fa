import { setBalance } from '../../modules/account/credits/index.ts'
import { customDomainEvents } from '../../modules/domains/custom-domains/index.ts'
import { timestamp } from '../../platform/clock/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { emit } from '../../platform/outbox/index.ts'
import type { Harness, Tenant } from '../harness.ts'
import { createBot, createConversation } from './conversations.ts'
import { distinctWords } from './distinct-words.ts'
import { addJobItems, createJobs } from './jobs.ts'
import { ask } from './questions.ts'
import { scan } from './scans.ts'
import { createForm, receive } from './submissions.ts'

/** A list that visitors or the service fill. `owner` creates the resource that it belongs to, `add` adds one item. */
export interface Stream {
  owner?: (tenant: Tenant) => Promise<Record<string, string>>
  add: (tenant: Tenant, owner: Record<string, string>, n: number) => Promise<unknown>
  /** How many items it has before any is added. */
  initial?: number
}

const DESTINATION = { destination: { url: 'https://acme.com/care' } }

/** How tests fill each cursor list, by operation. */
export function streamsOf(harness: Harness): Record<string, Stream> {
  const scansOf = (path: string, body: object, address: (owner: any, tenant: Tenant) => string): Stream => ({
    owner: async (tenant) => (await tenant.post(path, { ...body, ...DESTINATION })).body,
    add: (tenant, owner) => scan(harness, address(owner, tenant)),
  })

  const codeScans = scansOf('/v1/qr-codes', {}, ({ public_slug }) => `/${public_slug}`)

  const unanswered: Stream = {
    owner: async (tenant) => ({ id: (await tenant.post('/v1/chatbots', { name: 'Support' })).body.id }),
    add: (tenant, { id }, n) => ask(harness, tenant, id as string, distinctWords(40, n)),
  }

  return {
    'assets.list': {
      add: (tenant, _owner, n) => tenant.post('/v1/assets', Buffer.from(`GIF89a\x01\0\x01\0\x80\0\0\0\0\0;${n}`)),
    },
    'audit-log.list': { add: (tenant, _owner, n) => tenant.post('/v1/article-tags', { name: `Tag ${n}` }) },
    'conversations.list': {
      owner: async (tenant) => ({ chatbot: (await createBot(tenant)).id }),
      add: (tenant, { chatbot }) => createConversation(harness, tenant, { chatbotId: chatbot as string }),
    },
    'conversations.listMessages': {
      owner: async (tenant) => {
        const { id } = await createConversation(harness, tenant, { status: 'open' })
        // Those of its beginning, so that the list has only what is added here.
        const messages = harness.service.database.kysely.deleteFrom('messages')
        await messages.where('org_id', '=', tenant.orgId).where('conversation_id', '=', id).execute()
        return { id }
      },
      add: (tenant, { id }, n) => tenant.post(`/v1/conversations/${id}/messages`, { text: `Step ${n}` }),
    },
    'conversations.listNotes': {
      owner: async (tenant) => ({ id: (await createConversation(harness, tenant)).id }),
      add: (tenant, { id }, n) => tenant.post(`/v1/conversations/${id}/notes`, { content: `Attempt ${n}` }),
    },
    'credits.listEntries': {
      owner: async ({ orgId }) => {
        // The starting balance, so that the list has only what is added here.
        const entries = harness.service.database.kysely.deleteFrom('credit_entries')
        await entries.where('org_id', '=', orgId).execute()
        return {}
      },
      add: async ({ orgId }, _owner, n) => {
        const now = timestamp(harness.nowMs())
        await harness.service.database.write((tx) => setBalance(tx, orgId, 100 + n, now))
      },
    },
    'events.list': {
      add: async (tenant, _owner, n) => {
        const now = timestamp(harness.nowMs())
        const domain = {
          object: 'custom_domain' as const,
          id: newId(),
          domain: `shop-${n}.acme.com`,
          verified: true,
          verified_at: now,
          wrong_since: null,
          last_checked_at: now,
          check_error: null,
          fallback_url: null,
          verification_records: [],
          created_at: now,
        }
        await harness.service.database.write((tx) =>
          emit(tx, tenant.orgId, customDomainEvents, 'custom_domain.verified', domain, now),
        )
      },
    },
    'jobs.list': { add: ({ orgId }, _owner, n) => createJobs(harness, orgId, 1, n) },
    'jobs.listItems': {
      owner: async ({ orgId }) => ({ id: (await createJobs(harness, orgId, 1))[0] as string }),
      add: ({ orgId }, { id }) => addJobItems(harness, orgId, id as string, 1),
    },
    // The endpoint is paused, because sending would change the deliveries while the test reads them.
    'webhook-deliveries.list': {
      owner: (tenant) => harness.subscribe(tenant, ['qr_group.created'], { isActive: false }),
      add: (tenant) => tenant.post('/v1/qr-groups', { name: 'Doors' }),
    },
    'articles.list': {
      owner: async (tenant) => ({ base: (await tenant.post('/v1/knowledge-bases', { name: 'Care' })).body.id }),
      add: (tenant, { base }, n) => tenant.post('/v1/articles', { knowledge_base_id: base, title: `Oiling ${n}` }),
    },
    'submissions.list': {
      owner: async (tenant) => ({ page: (await createForm(tenant)).id }),
      add: (tenant, { page }, n) => receive(harness, tenant, page as string, { what: `Fault ${n}` }),
    },
    'submissions.listEvents': {
      owner: async (tenant) => ({ id: (await receive(harness, tenant, (await createForm(tenant)).id)).id }),
      add: (tenant, { id }, n) => tenant.patch(`/v1/submissions/${id}`, { notes: `Attempt ${n}` }),
      // Its creation.
      initial: 1,
    },
    'submissions.listReplies': {
      owner: async (tenant) => ({ id: (await receive(harness, tenant, (await createForm(tenant)).id)).id }),
      add: (tenant, { id }, n) => tenant.post(`/v1/submissions/${id}/replies`, { text: `Step ${n}` }),
    },
    'pages.list': { add: (tenant, _owner, n) => tenant.post('/v1/pages', { title: `Page ${n}` }) },
    'unanswered.list': unanswered,
    'unanswered.listOfChatbot': unanswered,
    'scans.list': codeScans,
    'qr-codes.listScans': codeScans,
    'objects.listScans': scansOf('/v1/objects', { type: 'chair' }, ({ public_slug }) => `/o/${public_slug}`),
    'products.listScans': scansOf(
      '/v1/products',
      { name: 'Oil', gtin: '9506000134352' },
      ({ gtin }, { slug }) => `/g/${slug}/01/${gtin}`,
    ),
  }
}
