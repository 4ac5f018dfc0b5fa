import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createAnalyser, searchArticles } from '../../src/modules/knowledge/article-search/index.ts'
import { selectMatches } from '../../src/modules/knowledge/article-search/query/match-queries.ts'
import { readQuery } from '../../src/modules/knowledge/article-search/query/query-words.ts'
import { Terms } from '../../src/modules/knowledge/article-search/terms.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { LatencyHistogram } from '../support/latency-histogram.ts'
import { settle } from '../support/settle.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'
import { BATCH, createOwner, fillArticles } from './fill.ts'
import { type SearchKind, searchKinds } from './queries.ts'

export const about = 'full-text search in many articles, compared with the bare query of each engine'

const PAGE_SIZE = 25
/** The articles of another organisation, relative to the one that is searched. */
const OTHERS_SHARE = 0.1
const WARM_UP = 20
const P99_MAX_MS = 50

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      articles: { type: 'string', default: '100000' },
      searches: { type: 'string', default: '200' },
      engines: { type: 'string', default: 'sqlite,postgres' },
    },
  })
  const [articles, searches] = [Number(values.articles), Number(values.searches)]
  if (!(articles >= BATCH && searches >= 1))
    throw new Error(`--articles must be at least ${BATCH} and --searches at least 1`)
  const slow: string[] = []
  if (values.engines.includes('sqlite')) {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
    try {
      slow.push(...(await measure('SQLite', { file: join(folder, 'waymark.db') }, articles, searches)))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  if (values.engines.includes('postgres')) {
    await using postgres = await startPostgres()
    slow.push(...(await measure('PostgreSQL', { url: postgres.url('postgres') }, articles, searches)))
  }
  if (slow.length > 0) throw new Error(`p99 above ${P99_MAX_MS} ms: ${slow.join('; ')}`)
}

async function measure(
  engine: string,
  location: DatabaseLocation,
  articles: number,
  searches: number,
): Promise<string[]> {
  const database = await openDatabase(location)
  const analyser = createAnalyser()
  try {
    await migrate(database)
    await fillArticles(
      engine,
      database,
      analyser,
      await createOwner(database, 'other'),
      Math.ceil(articles * OTHERS_SHARE),
    )
    const owner = await createOwner(database, 'searched')
    const corpus = await fillArticles(engine, database, analyser, owner, articles)
    await settle(database, location)
    await printSizes(engine, database, location)

    const rows: string[][] = []
    const slow: string[] = []
    for (const kind of searchKinds(corpus)) {
      const bare = new LatencyHistogram()
      const found = new LatencyHistogram()
      let total = 0
      for (let n = -WARM_UP; n < searches; n++) {
        const query = kind.query()
        const bareMs = await time(() => searchBare(database, owner.orgId, query.q))
        const offset = ((kind.page ?? 1) - 1) * PAGE_SIZE
        const foundMs = await time(async () => {
          total += (await searchArticles(database.readLong, owner.orgId, query, PAGE_SIZE, offset)).total
        })
        if (n === -1) total = 0
        if (n < 0) continue
        bare.add(bareMs)
        found.add(foundMs)
      }
      rows.push(toRow(kind, bare, found, total / searches))
      if (found.at(0.99) > P99_MAX_MS) slow.push(`${engine}, ${kind.name}`)
    }
    const title = `${engine}, ${whole(articles)} articles`
    printTable([title, 'found', 'bare p50', 'p99', 'search p50', 'p99', 'max', 'vs bare'], rows)
    return slow
  } finally {
    await analyser.close()
    await database.close()
  }
}

const toRow = ({ name }: SearchKind, bare: LatencyHistogram, found: LatencyHistogram, total: number): string[] => [
  name,
  whole(total),
  ms(bare.at(0.5)),
  ms(bare.at(0.99)),
  ms(found.at(0.5)),
  ms(found.at(0.99)),
  ms(found.maxMs),
  `× ${ratio(found.at(0.5) / bare.at(0.5))}`,
]

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** The bare query: finds one page of texts that contain exactly these words, without counting all matches. */
async function searchBare({ readLong }: Database, orgId: OrgId, q: string): Promise<void> {
  const terms = new Terms(orgId)
  const wanted = readQuery(q, ['en']).words.map(({ text }) => [terms.exact('en', text)])
  await selectMatches(readLong, orgId, { perLanguage: [wanted], scope: undefined }, PAGE_SIZE)
}

async function printSizes(engine: string, { kysely }: Database, location: DatabaseLocation): Promise<void> {
  const mebibytes = (bytes: number) => `${whole(bytes / 1024 / 1024)} MiB`
  if ('file' in location) {
    const { rows } = await sql<{ name: string; bytes: number }>`
      select name, sum(pgsize) as bytes from dbstat where name like 'article%' group by name having bytes > 1000000
      order by bytes desc`
      .execute(kysely)
      .catch(() => ({ rows: [] }))
    console.log(`\n${engine}: ${mebibytes((await stat(location.file)).size)} in total`)
    for (const { name, bytes } of rows) console.log(`  ${name}: ${mebibytes(bytes)}`)
    return
  }
  const { rows } = await sql<{ name: string; bytes: number }>`
    select c.relname::text || case c.relkind when 'r' then ' including TOAST' else '' end as name,
      case c.relkind when 'r' then pg_table_size(c.oid) else pg_relation_size(c.oid) end as bytes
    from pg_class c where c.relname like 'article%' and c.relkind in ('r', 'i') and pg_relation_size(c.oid) > 1000000
    order by bytes desc`.execute(kysely)
  console.log(`\n${engine}:`)
  for (const { name, bytes } of rows) console.log(`  ${name}: ${mebibytes(bytes)}`)
}
