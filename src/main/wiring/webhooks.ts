import { startDelivery } from '../../modules/webhooks/delivery/index.ts'
import { createOutboundClient } from '../../platform/outbound/index.ts'
import type { Ground } from './ground.ts'
import type { MailGroup } from './mail.ts'

export function wireWebhooks(ground: Ground, { mails }: MailGroup) {
  const { config, overrides, keyring, log, shutdown } = ground
  const privateHosts = config.webhookPrivateHosts
  if (privateHosts.length > 0) {
    log.info({ hosts: privateHosts }, 'webhooks may reach these hosts of the private network, at these addresses')
  }
  const urlRules = { ...config.outbound, privateHosts }
  return {
    settings: { urlRules, seal: (secret: string) => keyring.seal(secret) },
    startWork: () => {
      // Not the client of the others: an image, for example, may never come from the private network.
      const outbound = createOutboundClient(urlRules)
      shutdown.atLast(() => outbound.close())
      shutdown.atLast(startDelivery({ ...ground, outbound, mails, pollMs: overrides.deliveryPollMs }))
    },
  }
}

export type WebhookGroup = ReturnType<typeof wireWebhooks>
