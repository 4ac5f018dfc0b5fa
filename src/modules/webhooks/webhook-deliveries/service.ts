import type { z } from 'zod'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { requireEndpoint } from '../webhooks/index.ts'
import { type AttemptRow, selectAttempts } from './attempt-queries.ts'
import type { WebhookDelivery, WebhookDeliveryDetail, webhookDeliveries } from './contract.ts'
import { type DeliveryRow, type StoredStatus, selectDeliveries, selectDelivery } from './queries.ts'

type ListQuery = z.output<typeof webhookDeliveries.list.declared.query>
type Status = WebhookDelivery['status']

type Endpoint = { is_active: boolean }

export async function listDeliveries(
  ctx: Context,
  endpointId: string,
  { status, event, ...query }: ListQuery,
  after: Position | undefined,
): Promise<CursorPage<WebhookDelivery>> {
  const endpoint = await requireEndpoint(ctx.read, ctx, endpointId)
  const stored = toStoredStatus(status, endpoint)
  if (stored === null) return { data: [], next: null }
  const filters = { status: stored, type: event, onlyEvents: status === 'held' }
  return cursorPage(
    query,
    (limit) => selectDeliveries(ctx.read, ctx.orgId, endpointId, filters, after, limit),
    (row) => toWebhookDelivery(row, endpoint),
  )
}

export async function getDelivery(ctx: Context, endpointId: string, id: string): Promise<WebhookDeliveryDetail> {
  const endpoint = await requireEndpoint(ctx.read, ctx, endpointId)
  const row = await selectDelivery(ctx.read, ctx.orgId, endpointId, id)
  if (row === undefined) throw noSuchDelivery()
  const attempts = await selectAttempts(ctx.read, ctx.orgId, endpointId, id)
  return {
    ...toWebhookDelivery(row, endpoint),
    payload: (row.test_payload ?? row.payload) as WebhookDeliveryDetail['payload'],
    attempts: attempts.map(toAttempt),
  }
}

export const noSuchDelivery = (): ApiError =>
  new ApiError('not_found', 'This webhook endpoint has no delivery with this ID. Deliveries are kept for 30 days.')

/** Tests are never held: they are sent while the endpoint is paused, too. */
const isHeld = ({ status, event_id }: DeliveryRow, { is_active }: Endpoint): boolean =>
  status === 'pending' && !is_active && event_id !== null

/** The stored status behind a status of the API; null if no delivery of this endpoint can have it. */
function toStoredStatus(status: Status | undefined, { is_active }: Endpoint): StoredStatus | undefined | null {
  if (status === 'held') return is_active ? null : 'pending'
  return status === 'pending' && !is_active ? null : status
}

export function toWebhookDelivery(row: DeliveryRow, endpoint: Endpoint): WebhookDelivery {
  const { id, endpoint_id, type, attempt_count, next_attempt_at, delivered_at, created_at } = row
  const status = isHeld(row, endpoint) ? 'held' : row.status
  return {
    object: 'webhook_delivery',
    id,
    webhook_id: endpoint_id,
    event: type,
    status,
    attempt_count,
    next_attempt_at: status === 'pending' ? next_attempt_at : null,
    delivered_at,
    created_at,
  }
}

function toAttempt(row: AttemptRow): WebhookDeliveryDetail['attempts'][number] {
  const { number, started_at, duration_ms, response_status, error, response_body } = row
  return { number, started_at, duration_ms, status: response_status, error, response_body }
}
