import { setTimeout as sleep } from 'node:timers/promises'
import { LANGUAGES } from '../../../src/platform/contract/languages.ts'
import { both, type Finding, type Scenario, underAttack } from '../finding.ts'
import { onStage, type Stage, type Tenant } from '../stage.ts'
import { randomWords } from '../texts.ts'

const ARTICLES = 25
const SECONDS = 60
/** A text takes up to 10 s. */
const AFTER_RESTART_MS = 60_000
const POLL_MS = 1000

/** Publishes articles whose texts are as expensive to index as possible, in all languages. */
export const indexing: Scenario = {
  number: 1,
  title: `index ${ARTICLES} articles × ${LANGUAGES.length} languages × 500 KB`,
  run: (engine) =>
    onStage(engine, {}, async (stage) => {
      const tenant = await stage.createTenant('observer')
      const ids = await createDrafts(tenant)
      await stage.settle()
      const attacked = await underAttack(
        stage,
        { attack: 'publish', apiKey: tenant.apiKey, given: ids },
        ['scan', 'write', 'health'],
        { seconds: SECONDS },
      )
      return both(attacked, await restart(stage, tenant))
    }),
}

async function createDrafts({ client }: Tenant): Promise<string[]> {
  const base = await client.post('/v1/knowledge-bases', { name: 'Large' })
  const ids: string[] = []
  for (let n = 0; n < ARTICLES; n++) {
    const [language, ...others] = LANGUAGES
    const content = randomWords()
    const fields = { knowledge_base_id: base.body.id, title: `Large ${n}`, language, content }
    const { status, body, text } = await client.post('/v1/articles', fields)
    if (status !== 201) throw new Error(`cannot create an article: ${text}`)
    ids.push(body.id)
    for (const other of others) {
      const translation = { language: other, title: `Large ${n}`, content: randomWords() }
      const added = await client.post(`/v1/articles/${body.id}/translations`, translation)
      if (added.status !== 201) throw new Error(`cannot add a translation: ${added.text}`)
    }
  }
  return ids
}

/** What was indexed before a kill must not be indexed again. */
async function restart(stage: Stage, { orgId }: Tenant): Promise<Finding> {
  const indexed = async () => {
    const { count } = await stage.database.read
      .selectFrom('article_search_texts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('org_id', '=', orgId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  const before = await indexed()
  await stage.killAndRestart()
  const isComplete = before === ARTICLES * LANGUAGES.length
  const startedMs = performance.now()
  let after = await indexed()
  while (!isComplete && after <= before && performance.now() - startedMs < AFTER_RESTART_MS) {
    await sleep(POLL_MS)
    after = await indexed()
  }
  return {
    holds: before > 0 && (isComplete ? after === before : after > before),
    figures: `${before} texts indexed, ${after} a moment after a kill`,
  }
}
