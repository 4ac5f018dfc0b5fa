import { noteChange } from '../../../platform/audit/index.ts'
import { SECOND_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import { announce } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { SecretRotation, WebhookEndpointWithSecret } from './contract.ts'
import { updateSecret } from './queries.ts'
import { lockEndpoint } from './require-endpoint.ts'
import { ENDPOINTS_TOPIC, newSecret, toWebhookEndpoint, type WebhookSettings } from './service.ts'

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
    noteChange(tx, 'webhook_endpoint.secret_rotated', { type: 'webhook_endpoint', id })
    await announce(tx, ENDPOINTS_TOPIC, [ctx.orgId])
    return { ...toWebhookEndpoint({ ...row, updated_at: ctx.now }), signing_secret: secret }
  })
}
