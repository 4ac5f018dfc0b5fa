import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'
import { closedInTime } from './slow-readers.ts'

/** Strangers without a key that send bodies and never finish them. */
export const stalledBodies: Scenario = {
  number: 8,
  title: '1,500 stalled bodies of 1 MiB without a key',
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const attacked = await underAttack(stage, { attack: 'stalledBodies' }, ['scan', 'me'])
      return both(attacked, await closedInTime(stage, 'stalledBodies'))
    }),
}
