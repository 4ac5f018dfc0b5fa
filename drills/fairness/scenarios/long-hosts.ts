import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

/** Looks up codes under ever new, very long host names. */
export const longHosts: Scenario = {
  number: 9,
  title: 'requests with Host headers of 15 KB',
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const attacked = await underAttack(stage, { attack: 'longHosts' }, ['scan', 'me'], { seconds: 30 })
      const refused = attacked.statuses['400'] ?? 0
      const others = Object.keys(attacked.statuses).length > 1
      return both(attacked, {
        holds: refused > 0 && !others,
        figures: `attacker: ${describeStatuses(attacked.statuses)}`,
      })
    }),
}
