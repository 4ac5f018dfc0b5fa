import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { type Load, LoadGenerator } from '../support/load.ts'
import { credentials, type RunningService, startService } from '../support/service.ts'
import { ms, printTable, whole } from '../support/table.ts'
import { measureExports } from './exports.ts'
import { fill, type Sizes } from './fill.ts'
import { listsOf, queriesOf } from './lists.ts'

export const about =
  'lists of 200,000 submissions and conversations and 100,000 articles with all filters, next to an empty request; exports'

const FULL: Sizes = { submissions: 200_000, conversations: 200_000, articles: 100_000, codes: 10_000 }
const REQUESTS = 15
/** Time for the JIT to compile the code of a list. */
const WARM_UP_REQUESTS = 500
const SECONDS_MAX = 10
/** A list that takes longer is marked. */
const AIM_MS = 10
/** A list is marked if filters keep the main thread for longer than the same list without them, because everybody waits. */
const MAIN_THREAD_AIM_MS = 2

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { share: { type: 'string', default: '1' } } })
  const share = Number(values.share)
  if (!(share > 0 && share <= 1)) throw new Error('--share must be above 0 and at most 1')
  const scaled = (rows: number) => Math.ceil(rows * share)
  const sizes: Sizes = {
    submissions: scaled(FULL.submissions),
    conversations: scaled(FULL.conversations),
    articles: scaled(FULL.articles),
    codes: scaled(FULL.codes),
  }

  await using generator = await LoadGenerator.start()
  {
    await using service = await startService()
    await measure('SQLite', service, undefined, sizes, generator)
  }
  await using postgres = await startPostgres()
  await using service = await startService(postgres.url('postgres'))
  await measure('PostgreSQL', service, postgres.url('postgres'), sizes, generator)
}

async function measure(
  engine: string,
  service: RunningService,
  databaseUrl: string | undefined,
  sizes: Sizes,
  generator: LoadGenerator,
): Promise<void> {
  const filled = await fill(engine, service, databaseUrl, sizes)
  const rows = { '/v1/submissions': sizes.submissions, '/v1/conversations': sizes.conversations }
  for (const path of ['/v1/me', ...listsOf(filled).map((list) => list.path)])
    await generator.run({ ...toLoad(service, path), requestsMax: WARM_UP_REQUESTS })
  const empty = await time(service, generator, '/v1/me')
  const table = [['/v1/me', ms(empty.p50Ms), ms(empty.mainThreadMs), '']]
  let slow = 0
  for (const list of listsOf(filled)) {
    const count = rows[list.path as keyof typeof rows] ?? (list.path === '/v1/articles' ? sizes.articles : sizes.codes)
    const { mainThreadMs: unfilteredMs } = await time(service, generator, list.path)
    for (const query of queriesOf(list, count)) {
      const { p50Ms, mainThreadMs } = await time(service, generator, `${list.path}?${query}`)
      const isSlow = p50Ms > AIM_MS || mainThreadMs - unfilteredMs > MAIN_THREAD_AIM_MS
      if (isSlow) slow++
      table.push([`${list.path}?${namesOf(query)}`, ms(p50Ms), ms(mainThreadMs), isSlow ? '←' : ''])
    }
  }
  printTable([`${engine}, one request at a time`, 'p50', 'main thread', ''], table)
  console.log(
    `\n${whole(slow)} of ${whole(table.length - 1)} above ${AIM_MS} ms, or ${MAIN_THREAD_AIM_MS} ms more of the main thread`,
  )
  await measureExports(engine, service, sizes.submissions)
}

async function time(service: RunningService, generator: LoadGenerator, path: string) {
  const load = { ...toLoad(service, path), requestsMax: REQUESTS }
  await generator.run(load)
  const before = await service.usage()
  const { p50Ms, responses } = await generator.run(load)
  const { mainThreadMicros } = await service.usage()
  return { p50Ms, mainThreadMs: (mainThreadMicros - before.mainThreadMicros) / 1000 / responses }
}

const toLoad = ({ port, first }: RunningService, path: string): Load => ({
  port,
  method: 'GET',
  path,
  headers: credentials(first),
  connections: 1,
  seconds: SECONDS_MAX,
})

/** Values of ids say nothing. */
const namesOf = (query: string): string =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => (name === 'sort' || name === 'page' ? `${name}=${value}` : name))
    .join('&')
