import { MINUTE_MS, SECOND_MS, systemClock } from '../../platform/clock/index.ts'
import { readServerClock } from '../../platform/db/checks.ts'
import type { Database } from '../../platform/db/index.ts'
import { probe } from '../../platform/outbound/index.ts'
import type { Config } from '../config.ts'
import { ANSWER_MS_MAX, answered, type DoctorCheck, fail, pass, warn } from './check.ts'
import { isSynchronised } from './synchronisation.ts'

/** Codes of authenticator apps are valid for 30 seconds, and webhooks are refused when they are 300 seconds off. */
const AHEAD_MS_MAX = 30 * SECOND_MS
const AHEAD_MS_GOOD = 5 * SECOND_MS

interface Difference {
  name: string
  aheadMs: number
}

const REMEDY = 'Turn on time synchronisation (systemd-timesyncd, chrony)'

/**
 * Compares the clock with those of servers that are configured anyway. Without any, it can only say whether this machine
 * synchronises its clock.
 */
export async function checkClock(
  database: Database,
  { s3, llm }: Pick<Config, 's3' | 'llm'>,
  readSynchronisation = isSynchronised,
): Promise<DoctorCheck> {
  const found = await Promise.all([
    databaseClock(database),
    s3 && httpClock('the S3 server', s3.endpoint),
    llm && httpClock('the language model', llm.baseUrl),
  ])
  const differences = found.filter((one) => one !== undefined)
  if (differences.length === 0) return judgeSynchronisation(await readSynchronisation())
  const detail = differences.map(({ name, aheadMs }) => `${name} is ${describeAhead(aheadMs)}`).join(', ')
  const worst = Math.max(...differences.map(({ aheadMs }) => Math.abs(aheadMs)))
  if (worst <= AHEAD_MS_GOOD) return pass('Clock', detail)
  const remedy = `${REMEDY} on all machines that take part.`
  return worst <= AHEAD_MS_MAX
    ? warn('Clock', detail, remedy)
    : fail('Clock', detail, `${remedy} Until then, codes of authenticator apps and signatures can be refused.`)
}

function judgeSynchronisation(isOn: boolean | undefined): DoctorCheck {
  const unknown =
    'not compared: no configured server told its time, and this machine does not say whether it synchronises its own'
  if (isOn === undefined)
    return warn('Clock', unknown, `${REMEDY}, or compare the clock with another one from time to time.`)
  return isOn
    ? pass('Clock', 'this machine synchronises it')
    : warn('Clock', 'this machine does not synchronise it', `${REMEDY}.`)
}

async function databaseClock(database: Database): Promise<Difference | undefined> {
  const startedMs = systemClock()
  const serverMs = await answered(readServerClock(database)).catch(() => undefined)
  if (serverMs === undefined) return undefined
  return { name: 'the database server', aheadMs: serverMs - (startedMs + systemClock()) / 2 }
}

/** Whether the server can be used at all is up to other checks. */
async function httpClock(name: string, url: string): Promise<Difference | undefined> {
  const aheadMs = (await probe(url, ANSWER_MS_MAX).catch(() => undefined))?.clockAheadMs
  return aheadMs === undefined ? undefined : { name, aheadMs }
}

function describeAhead(aheadMs: number): string {
  const size = Math.abs(aheadMs)
  if (size <= AHEAD_MS_GOOD) return 'right'
  const amount = size < 2 * MINUTE_MS ? `${Math.round(size / SECOND_MS)} s` : `${Math.round(size / MINUTE_MS)} min`
  return `${amount} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`
}
