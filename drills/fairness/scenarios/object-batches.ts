import { describeStatuses } from '../attacker.ts'
import { both, type Finding, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

/** Creates objects in batches of 1,000, in one loop and then in eight. */
export const objectBatches: Scenario = {
  number: 50,
  title: 'batches of 1,000 objects with 2,000 properties, in one loop and in eight',
  run: async (engine) => {
    const findings: Finding[] = []
    for (const loops of [1, 8]) {
      const finding = await onStage(engine, {}, async (stage) => {
        const { apiKey } = await stage.createTenant('hostile')
        const attacked = await underAttack(stage, { attack: 'objects', apiKey, given: [String(loops)] }, [
          'scan',
          'write',
        ])
        const figures = `attacker: ${describeStatuses(attacked.statuses)}`
        return both({ ...attacked, figures: `${loops} × ${attacked.figures}` }, { holds: true, figures })
      })
      findings.push(finding)
    }
    return both(...findings)
  },
}
