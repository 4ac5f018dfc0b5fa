import { WebhookReceiver } from '../../../src/testing/world/webhook-receiver.ts'
import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

/** Scans an own code whose scans are events, and reads the events, which wait until all scans are stored. */
export const ownScans: Scenario = {
  number: 52,
  title: 'scans of one code with a webhook, 60 at once, and reads that wait for them',
  run: async (engine) => {
    const receiver = await WebhookReceiver.start()
    receiver.reply = (response) => void response.end()
    try {
      return await onStage(engine, { settings: { WEBHOOK_DEV_ALLOW: receiver.host } }, async (stage) => {
        const { client, apiKey } = await stage.createTenant('hostile')
        const endpoint = { url: receiver.url('/'), events: ['qr_code.scanned'] }
        const { status, text } = await client.post('/v1/webhooks', endpoint)
        if (status !== 201) throw new Error(`cannot create an endpoint: ${text}`)
        const code = await client.post('/v1/qr-codes', { destination: { url: 'https://acme.com/' } })
        const order = { attack: 'ownScans' as const, apiKey, given: [code.body.public_slug] }
        const attacked = await underAttack(stage, order, ['scan', 'me', 'write'])
        return both(attacked, { holds: true, figures: `attacker: ${describeStatuses(attacked.statuses)}` })
      })
    } finally {
      await receiver.close()
    }
  },
}
