import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

/** Creates large articles, 100 at once. */
export const rendering: Scenario = {
  number: 2,
  title: 'render 100 large articles at once',
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const { client, apiKey } = await stage.createTenant('hostile')
      const base = await client.post('/v1/knowledge-bases', { name: 'Large' })
      const order = { attack: 'render' as const, apiKey, given: [base.body.id] }
      const attacked = await underAttack(stage, order, ['scan', 'article', 'page'])
      return both(attacked, { holds: true, figures: `attacker: ${describeStatuses(attacked.statuses)}` })
    }),
}
