import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

const FILES_MAX = 4096

/** Opens more connections than the service may have files, and sends nothing. */
export const idleConnections: Scenario = {
  number: 10,
  title: `6,000 idle connections, ${FILES_MAX} files allowed`,
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      stage.limitFiles(FILES_MAX)
      const attacked = await underAttack(stage, { attack: 'idle' }, ['scan', 'me'], { isFresh: true })
      return both(attacked, { holds: true, figures: `${stage.openSockets()} open` })
    }),
}
