import { newId } from '../../../platform/ids/index.ts'
import { ACME, type Insert, ON_THE_SECOND, TEXTS, THEN } from './values.ts'

const DELIVERIES = 3

/** Triggers create deliveries and fan-outs, and attempts change them. A restore must not run any a second time. */
export async function fillWebhooks(insert: Insert, event: object): Promise<void> {
  const endpoint_id = newId()
  const endpoint = { id: endpoint_id, org_id: ACME, grant_id: 'grant', url: 'https://acme.com/hooks', description: '' }
  const state = { is_active: false, disabled_reason: TEXTS[0], failing_since: THEN, failed_attempts: 12 }
  const secrets = { secret: '1.c2VhbGVk', old_secret: '1.b2xk', old_secret_expires_at: ON_THE_SECOND }
  const times = { created_at: THEN, updated_at: ON_THE_SECOND }
  const events = JSON.stringify(['article.updated'])
  await insert('webhook_endpoints', [{ ...endpoint, ...state, ...secrets, ...times, events }])
  await insert('event_subscriptions', [{ org_id: ACME, type: 'article.updated', endpoint_id }])
  await insert(
    'events',
    Array.from({ length: DELIVERIES }, () => ({ ...event, id: newId() })),
  )
  const batch_id = newId()
  await insert('events', [{ ...event, id: batch_id, batch_id, batch_size: 200 }])
  const delivery = { org_id: ACME, endpoint_id, id: newId(), type: 'webhook.test', created_at: THEN }
  const waiting = { status: 'pending', attempt_count: 0, next_attempt_at: THEN, test_payload: JSON.stringify(TEXTS) }
  await insert('webhook_deliveries', [{ ...delivery, ...waiting }])
  const attempt = { org_id: ACME, endpoint_id, delivery_id: delivery.id, started_at: THEN, duration_ms: 15_000 }
  const [refused, taken] = [
    { number: 1, response_status: null, error: 'timeout', status_after: 'pending', next_attempt_at: ON_THE_SECOND },
    { number: 2, response_status: 200, response_body: TEXTS[2], status_after: 'delivered' },
  ]
  await insert('webhook_attempts', [{ ...attempt, ...refused }])
  await insert('webhook_attempts', [{ ...attempt, ...taken }])
  await insert('delivery_leases', [{ org_id: ACME, holder: 'a process', leased_until: THEN }])
}
