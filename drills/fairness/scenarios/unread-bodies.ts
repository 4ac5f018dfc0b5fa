import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

/** Strangers whose requests are refused before anyone reads their bodies. */
export const unreadBodies: Scenario = {
  number: 18,
  title: '20,000 requests with a short body on each of four connections',
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const attacked = await underAttack(stage, { attack: 'unreadBodies' }, ['scan', 'me', 'write'])
      const refused = (attacked.statuses['404'] ?? 0) + (attacked.statuses['401'] ?? 0)
      return both(attacked, { holds: refused > 0, figures: `attacker: ${describeStatuses(attacked.statuses)}` })
    }),
}
