import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

/** Strangers with many addresses, so that no limit of an address refuses them. */
export const widgetColors: Scenario = {
  number: 42,
  title: 'scripts with the colour of a widget, 100 at once',
  run: (engine) =>
    onStage(engine, { settings: { TRUST_PROXY: '127.0.0.0/8' } }, async (stage) => {
      const { client } = await stage.createTenant('hostile')
      const { body: bot } = await client.post('/v1/chatbots', { name: 'Support', status: 'active' })
      const attacked = await underAttack(stage, { attack: 'colors', given: [bot.public_slug] }, ['scan', 'me'])
      return both(attacked, {
        holds: Object.keys(attacked.statuses).every((status) => ['200', '404', '429', '503'].includes(status)),
        figures: `attacker: ${describeStatuses(attacked.statuses)}`,
      })
    }),
}
