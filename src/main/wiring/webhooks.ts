import { startDelivery } from '../../modules/webhooks/delivery/index.ts'
import type { Ground } from './ground.ts'
import type { MailGroup } from './mail.ts'

export function wireWebhooks(ground: Ground, { mails }: MailGroup) {
  const { config, overrides, keyring, shutdown } = ground
  return {
    settings: { urlRules: config.outbound, seal: (secret: string) => keyring.seal(secret) },
    startWork: () => shutdown.atLast(startDelivery({ ...ground, mails, pollMs: overrides.deliveryPollMs })),
  }
}

export type WebhookGroup = ReturnType<typeof wireWebhooks>
