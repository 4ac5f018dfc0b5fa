import { OAuthApplication } from '../../../src/testing/oauth-application.ts'
import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'

/** A stranger registers an application, and lets programs at 20 addresses use what anybody may. */
export const grants: Scenario = {
  number: 30,
  title: 'guessed codes and authorisations from 20 addresses',
  run: (engine) =>
    onStage(engine, { settings: { TRUST_PROXY: '127.0.0.0/8' } }, async (stage) => {
      const app = await OAuthApplication.register(`http://localhost:${stage.port}`, 'Acme Sync')
      const { url } = await app.ask('qr.view')
      const given = [app.client.client_id, url.pathname + url.search]
      const attacked = await underAttack(stage, { attack: 'grants', given }, ['scan', 'me', 'write'])
      const { statuses } = attacked
      const holds = (statuses['400'] ?? 0) > 0 && (statuses['303'] ?? 0) > 0
      return both(attacked, { holds, figures: `attacker: ${describeStatuses(statuses)}` })
    }),
}
