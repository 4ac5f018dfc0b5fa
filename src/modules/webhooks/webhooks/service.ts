import { randomBytes } from 'node:crypto'
import { SECOND_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { announce, type Db, lockRow, selectTotal, type Tx, totalOf } from '../../../platform/db/index.ts'
import { bury, missing } from '../../../platform/db/tombstones.ts'
import { ApiError, invalidPayload } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { checkOutboundUrl, type OutboundUrlRules } from '../../../platform/outbound/index.ts'
import { changesOf } from '../../../platform/outbox/index.ts'
import type {
  SecretRotation,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
  WebhookEndpointWithSecret,
} from './contract.ts'
import {
  deleteEndpointRow,
  type EndpointRow,
  insertEndpoint,
  selectEndpoint,
  selectEndpoints,
  updateEndpointRow,
  updateSecret,
} from './queries.ts'
import { replaceSubscriptions } from './subscriptions.ts'

/** What this installation says about endpoints. */
export interface WebhookSettings {
  urlRules: OutboundUrlRules
  /** Encrypts a secret for storage. */
  seal: (secret: string) => string
}

/** What has to be done to the deliveries of an endpoint that is resumed. */
export type ResumeDeliveries = (tx: Tx, orgId: OrgId, endpointId: string, now: Timestamp) => Promise<void>

/** Told to every process that remembers endpoints, whatever changed about them; the key is the organisation. */
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
  requireReachable(input.url, urlRules)
  const secret = newSecret()
  const row: EndpointRow = {
    id: newId(),
    grant_id: ctx.credential.grantId,
    url: input.url,
    description: input.description ?? null,
    events: input.events,
    is_active: wantedActive(input) ?? true,
    disabled_reason: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  return ctx.write(async (tx) => {
    await insertEndpoint(tx, ctx.orgId, { ...row, secret: seal(secret) })
    await requireRoom(tx, ctx.orgId)
    await replaceSubscriptions(tx, ctx.orgId, row.id, input.events)
    await announce(tx, ENDPOINTS_TOPIC, [ctx.orgId])
    return { ...toWebhookEndpoint(row), signing_secret: secret }
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
  return ctx.write(async (tx) => {
    const row = await lockEndpoint(tx, ctx, id)
    if (input.url !== undefined) requireReachable(input.url, urlRules)
    const isActive = wantedActive(input) ?? row.is_active
    const isResumed = isActive && !row.is_active
    const wanted: EndpointRow = {
      ...row,
      url: input.url ?? row.url,
      events: input.events ?? row.events,
      description: input.description === undefined ? row.description : input.description,
      is_active: isActive,
      disabled_reason: isResumed ? null : row.disabled_reason,
    }
    const changes = changesOf(row, wanted)
    if (changes === undefined) return toWebhookEndpoint(row)
    const after = { ...wanted, updated_at: ctx.now }
    const { url, events, description, is_active, disabled_reason, updated_at } = after
    await updateEndpointRow(tx, ctx.orgId, id, {
      ...{ url, events, description, is_active, disabled_reason, updated_at },
      ...(isResumed && { failing_since: null, failed_attempts: 0 }),
    })
    if (changes.events !== undefined) await replaceSubscriptions(tx, ctx.orgId, id, events as string[])
    if (isResumed) await resumeDeliveries(tx, ctx.orgId, id, ctx.now)
    await announce(tx, ENDPOINTS_TOPIC, [ctx.orgId])
    return toWebhookEndpoint(after)
  })
}

/** What was sent, or still waits, stays in the log until its time is over. */
export function deleteEndpoint(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    await lockEndpoint(tx, ctx, id)
    await replaceSubscriptions(tx, ctx.orgId, id, [])
    await deleteEndpointRow(tx, ctx.orgId, id)
    await bury(tx, ctx.orgId, 'webhook_endpoint', id, ctx.now)
    await announce(tx, ENDPOINTS_TOPIC, [ctx.orgId])
  })
}

export async function rotateSecret(
  ctx: Context,
  id: string,
  { expire_old_after_seconds }: SecretRotation,
  { seal }: WebhookSettings,
): Promise<WebhookEndpointWithSecret> {
  const secret = newSecret()
  const oldExpiresAt =
    expire_old_after_seconds === 0 ? null : timestamp(toMs(ctx.now) + expire_old_after_seconds * SECOND_MS)
  return ctx.write(async (tx) => {
    const row = await lockEndpoint(tx, ctx, id)
    await updateSecret(tx, ctx.orgId, id, seal(secret), oldExpiresAt, ctx.now)
    await announce(tx, ENDPOINTS_TOPIC, [ctx.orgId])
    return { ...toWebhookEndpoint({ ...row, updated_at: ctx.now }), signing_secret: secret }
  })
}

/**
 * The endpoint, if this caller may see it. Whoever acts for an OAuth grant sees what was made under that grant;
 * of all others, deleted ones too, they do not learn that there is or was anything.
 */
export async function requireEndpoint(db: Db, { orgId, credential }: Context, id: string): Promise<EndpointRow> {
  const row = await selectEndpoint(db, orgId, id)
  const { grantId } = credential
  if (row !== undefined && (grantId === null || row.grant_id === grantId)) return row
  if (grantId === null) throw await missing(db, orgId, 'webhook_endpoint', id)
  throw new ApiError('not_found', 'There is no webhook endpoint with this id that was made under this authorisation.')
}

async function lockEndpoint(tx: Tx, ctx: Context, id: string): Promise<EndpointRow> {
  await lockRow(tx, ctx.orgId, 'webhook_endpoints', id)
  return requireEndpoint(tx, ctx, id)
}

/** Asked after the endpoint was added: adding it made the others who add one wait, so that the number is exact. */
async function requireRoom(tx: Tx, orgId: OrgId): Promise<void> {
  if ((await selectTotal(tx, orgId, 'webhook_endpoints')) <= ENDPOINTS_MAX) return
  throw new ApiError(
    'unprocessable',
    `An organisation has at most ${ENDPOINTS_MAX} webhook endpoints. Delete one that is not needed any more.`,
  )
}

function requireReachable(url: string, rules: OutboundUrlRules): void {
  const checked = checkOutboundUrl(url, rules)
  if ('complaint' in checked) throw invalidPayload({ url: [checked.complaint] })
}

const wantedActive = ({ isActive, is_active }: WebhookEndpointUpdate): boolean | undefined => isActive ?? is_active

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('hex')}`

function toWebhookEndpoint(row: EndpointRow): WebhookEndpoint {
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
