import { randomBytes } from 'node:crypto'
import { noteCreated, noteDeleted, noteUpdated } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { announce, lockTotal, type Tx, totalOf } from '../../../platform/db/index.ts'
import { insertTombstone } from '../../../platform/db/tombstones.ts'
import { ApiError, invalidPayload } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { checkOutboundUrl, type OutboundUrlRules } from '../../../platform/outbound/index.ts'
import { changesOf } from '../../../platform/outbox/index.ts'
import type {
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
  WebhookEndpointWithSecret,
} from './contract.ts'
import { deleteEndpointRow, type EndpointRow, insertEndpoint, selectEndpoints, updateEndpointRow } from './queries.ts'
import { lockEndpoint, requireEndpoint } from './require-endpoint.ts'
import { replaceSubscriptions } from './subscriptions.ts'

/** Settings of this installation. */
export interface WebhookSettings {
  urlRules: OutboundUrlRules
  /** Encrypts a secret for storage. */
  seal: (secret: string) => string
}

/** Makes the retries of an endpoint due when the endpoint is resumed. */
export type ResumeDeliveries = (tx: Tx, orgId: OrgId, endpointId: string, now: Timestamp) => Promise<void>

/** Announced on every change of an endpoint, so that processes drop what they cached. The key is the organisation. */
export const ENDPOINTS_TOPIC = 'webhook_endpoints'

const ENDPOINTS_MAX = 50
const SECRET_BYTES = 32

export function listEndpoints(ctx: Context, query: OffsetQuery): Promise<OffsetPage<WebhookEndpoint>> {
  const { grantId } = ctx.credential
  return offsetPage(ctx, query, {
    totals: [grantId === null ? 'webhook_endpoints' : totalOf('webhook_endpoints', 'grant_id', grantId)],
    count: undefined,
    rows: (db, limit, offset) => selectEndpoints(db, ctx.orgId, grantId, limit, offset),
    toItem: toWebhookEndpoint,
  })
}

export async function createEndpoint(
  ctx: Context,
  input: WebhookEndpointCreate,
  { urlRules, seal }: WebhookSettings,
): Promise<WebhookEndpointWithSecret> {
  requireAllowedUrl(input.url, urlRules)
  const secret = newSecret()
  const row: EndpointRow = {
    id: newId(),
    grant_id: ctx.credential.grantId,
    url: input.url,
    description: input.description ?? null,
    events: input.events,
    is_active: requestedActive(input) ?? true,
    disabled_reason: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  return ctx.write(async (tx) => {
    await insertEndpoint(tx, ctx.orgId, { ...row, secret: seal(secret) })
    await requireRoom(tx, ctx.orgId)
    await replaceSubscriptions(tx, ctx.orgId, row.id, input.events)
    await announce(tx, ENDPOINTS_TOPIC, [ctx.orgId])
    const created = toWebhookEndpoint(row)
    noteCreated(tx, created)
    return { ...created, signing_secret: secret }
  })
}

export async function getEndpoint(ctx: Context, id: string): Promise<WebhookEndpoint> {
  return toWebhookEndpoint(await requireEndpoint(ctx.read, ctx, id))
}

export async function updateEndpoint(
  ctx: Context,
  id: string,
  input: WebhookEndpointUpdate,
  { urlRules }: WebhookSettings,
  resumeDeliveries: ResumeDeliveries,
): Promise<WebhookEndpoint> {
  return ctx.writeInPieces(async (tx) => {
    const row = await lockEndpoint(tx, ctx, id)
    if (input.url !== undefined) requireAllowedUrl(input.url, urlRules)
    const { isActive: _, is_active: __, ...fields } = input
    const is_active = requestedActive(input) ?? row.is_active
    const isResumed = is_active && !row.is_active
    const values = { ...sentFields(fields), is_active, ...(isResumed && { disabled_reason: null }) }
    const changes = changesOf(row, { ...row, ...values })
    if (changes === undefined) return toWebhookEndpoint(row)
    const after = { ...row, ...values, updated_at: ctx.now }
    await updateEndpointRow(tx, ctx.orgId, id, {
      ...values,
      updated_at: after.updated_at,
      ...(isResumed && { failing_since: null, failed_attempts: 0 }),
    })
    if (changes.events !== undefined) await replaceSubscriptions(tx, ctx.orgId, id, after.events as string[])
    if (isResumed) await resumeDeliveries(tx, ctx.orgId, id, ctx.now)
    await announce(tx, ENDPOINTS_TOPIC, [ctx.orgId])
    noteUpdated(tx, toWebhookEndpoint(after), changes)
    return toWebhookEndpoint(after)
  })
}

/** Deliveries of the endpoint stay in the database until retention deletes them. */
export function deleteEndpoint(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    await remove(tx, ctx.orgId, await lockEndpoint(tx, ctx, id), ctx.now)
    await announce(tx, ENDPOINTS_TOPIC, [ctx.orgId])
  })
}

/** Called when a grant ends: its application can no longer manage them, and must not receive events any more. */
export async function deleteEndpointsOfGrant(tx: Tx, orgId: OrgId, grantId: string, now: Timestamp): Promise<void> {
  const rows = await selectEndpoints(tx, orgId, grantId, ENDPOINTS_MAX, 0)
  if (rows.length === 0) return
  for (const row of rows) await remove(tx, orgId, row, now)
  await announce(tx, ENDPOINTS_TOPIC, [orgId])
}

async function remove(tx: Tx, orgId: OrgId, row: EndpointRow, now: Timestamp): Promise<void> {
  noteDeleted(tx, toWebhookEndpoint(row))
  await replaceSubscriptions(tx, orgId, row.id, [])
  await deleteEndpointRow(tx, orgId, row.id)
  await insertTombstone(tx, orgId, 'webhook_endpoint', row.id, now)
}

/** Call it after the insert. Concurrent inserts wait for each other at the total, so each counts those before it. */
async function requireRoom(tx: Tx, orgId: OrgId): Promise<void> {
  if ((await lockTotal(tx, orgId, 'webhook_endpoints')) <= ENDPOINTS_MAX) return
  throw new ApiError(
    'unprocessable',
    `An organisation can have at most ${ENDPOINTS_MAX} webhook endpoints. Delete one that you no longer need.`,
  )
}

function requireAllowedUrl(url: string, rules: OutboundUrlRules): void {
  const checked = checkOutboundUrl(url, rules)
  if ('problem' in checked) throw invalidPayload({ url: [checked.problem] })
}

const requestedActive = ({ isActive, is_active }: WebhookEndpointUpdate): boolean | undefined => isActive ?? is_active

export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('hex')}`

export function toWebhookEndpoint(row: EndpointRow): WebhookEndpoint {
  const { id, url, description, events, is_active, disabled_reason, created_at, updated_at } = row
  return {
    object: 'webhook_endpoint',
    id,
    url,
    description,
    events: events as string[],
    isActive: is_active,
    disabled_reason,
    created_at,
    updated_at,
  }
}
