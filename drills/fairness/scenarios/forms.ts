import sharp from 'sharp'
import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { FORM_PAGE, onStage } from '../stage.ts'

/** Visitors with many addresses, so that only the limits of the page and of its organisation refuse them. */
export const forms: Scenario = {
  number: 17,
  title: '100 forms and photos at once, all for one page',
  run: (engine) =>
    onStage(engine, { settings: { TRUST_PROXY: '127.0.0.0/8' } }, async (stage) => {
      const { client } = await stage.createTenant('hostile')
      const { body: page } = await client.post('/v1/pages', FORM_PAGE)
      const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
      const photo = await sharp({ create: { width: 2000, height: 1500, channels: 3, background: 'grey', noise } })
        .jpeg()
        .toBuffer()
      const given = [page.public_slug, photo.toString('base64')]
      const attacked = await underAttack(stage, { attack: 'forms', given }, ['scan', 'me', 'write', 'form'])
      const received = attacked.statuses['303'] ?? 0
      return both(attacked, { holds: received > 0, figures: `attacker: ${describeStatuses(attacked.statuses)}` })
    }),
}
