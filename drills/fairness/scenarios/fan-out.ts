import { WebhookReceiver } from '../../../src/testing/world/webhook-receiver.ts'
import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

const ENDPOINTS = 50

/** Creates codes in batches, with many webhook endpoints that subscribe to them. */
export const fanOut: Scenario = {
  number: 5,
  title: `batches of 1,000 codes × ${ENDPOINTS} webhook endpoints`,
  run: async (engine) => {
    const receiver = await WebhookReceiver.start()
    receiver.reply = (response) => void response.end()
    try {
      return await onStage(engine, { settings: { WEBHOOK_DEV_ALLOW: receiver.host } }, async (stage) => {
        const { client, apiKey } = await stage.createTenant('hostile')
        for (let n = 0; n < ENDPOINTS; n++) {
          const { status, text } = await client.post('/v1/webhooks', {
            url: receiver.url(`/${n}`),
            events: ['qr_code.created'],
          })
          if (status !== 201) throw new Error(`cannot create an endpoint: ${text}`)
        }
        const attacked = await underAttack(stage, { attack: 'batches', apiKey }, ['scan', 'me', 'write'])
        return both(attacked, { holds: true, figures: `attacker: ${describeStatuses(attacked.statuses)}` })
      })
    } finally {
      await receiver.close()
    }
  },
}
