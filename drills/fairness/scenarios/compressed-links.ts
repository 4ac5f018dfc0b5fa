import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

/** Scans compressed GS1 links, which take longer to read than others. */
export const compressedLinks: Scenario = {
  number: 51,
  title: 'compressed GS1 links, 100 at once',
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const { client } = await stage.createTenant('hostile')
      const product = { name: 'Chair', gtin: '9506000134352', destination: { url: 'https://acme.com/' } }
      const { body } = await client.post('/v1/products', product)
      const reply = await fetch(`http://127.0.0.1:${stage.port}${new URL(body.url).pathname}?compress=true`)
      const { COMPRESSED_LINK: link } = (await reply.json()) as { COMPRESSED_LINK: string }
      const attacked = await underAttack(stage, { attack: 'compressedLinks', given: [link] }, ['scan', 'me'])
      return both(attacked, {
        holds: Object.keys(attacked.statuses).every((status) => ['302', '429', '503'].includes(status)),
        figures: `attacker: ${describeStatuses(attacked.statuses)}`,
      })
    }),
}
