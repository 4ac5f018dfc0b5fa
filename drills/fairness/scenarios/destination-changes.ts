import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

const CODES = 20_000
const BATCH = 1000

/** Changes where all codes lead and undoes it, again and again. */
export const destinationChanges: Scenario = {
  number: 43,
  title: `a change of ${CODES} destinations and its undo, in a loop`,
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const { client, apiKey } = await stage.createTenant('hostile')
      for (let n = 0; n < CODES; n += BATCH) {
        const batch = { count: BATCH, destination: { url: 'https://acme.com/old' } }
        const { status, text } = await client.post('/v1/qr-codes/batch', batch)
        if (status !== 201) throw new Error(`cannot create codes: ${text}`)
      }
      await stage.settle()
      const attacked = await underAttack(stage, { attack: 'destinations', apiKey }, ['scan', 'me', 'write'])
      return both(attacked, { holds: true, figures: `attacker: ${describeStatuses(attacked.statuses)}` })
    }),
}
