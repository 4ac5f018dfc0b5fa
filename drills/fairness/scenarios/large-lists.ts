import { describeStatuses } from '../attacker.ts'
import { both, type Scenario, underAttack } from '../finding.ts'
import { onStage } from '../stage.ts'
import { randomWords } from '../texts.ts'

const ARTICLES = 100

/** Reads the largest page of articles, 20 at once. */
export const largeLists: Scenario = {
  number: 7,
  title: `lists of ${ARTICLES} articles × 500 KB, 20 at once`,
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const { client, apiKey } = await stage.createTenant('hostile')
      const base = await client.post('/v1/knowledge-bases', { name: 'Large' })
      const content = randomWords()
      for (let n = 0; n < ARTICLES; n++) {
        const { status, text } = await client.post('/v1/articles', {
          knowledge_base_id: base.body.id,
          title: `Large ${n}`,
          content,
        })
        if (status !== 201) throw new Error(`cannot create an article: ${text}`)
      }
      const attacked = await underAttack(stage, { attack: 'lists', apiKey }, ['scan', 'me', 'write'])
      return both(attacked, { holds: true, figures: `attacker: ${describeStatuses(attacked.statuses)}` })
    }),
}
