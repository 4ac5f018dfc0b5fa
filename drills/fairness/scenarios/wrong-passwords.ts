import { Visitor } from '../../../src/testing/visitor.ts'
import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

/** Every hash takes a core and 32 MiB. Attempts come from many addresses, so that no limit per address refuses them. */
export const wrongPasswords: Scenario = {
  number: 16,
  title: '200 wrong passwords at once',
  run: (engine) =>
    onStage(engine, { settings: { TRUST_PROXY: '127.0.0.0/8' } }, async (stage) => {
      const visitor = new Visitor(`http://127.0.0.1:${stage.port}`)
      const { text } = await visitor.open('/account/sign-in')
      const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
      const given = [[...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '), token]
      const attacked = await underAttack(stage, { attack: 'passwords', given }, ['scan', 'me', 'write'])
      const compared = attacked.statuses['401'] ?? 0
      return both(attacked, { holds: compared > 0, figures: `attacker: ${describeStatuses(attacked.statuses)}` })
    }),
}
