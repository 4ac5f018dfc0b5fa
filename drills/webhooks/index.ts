import { parseArgs } from 'node:util'
import { ms, printTable, whole } from '../../bench/support/table.ts'
import { type BadTenantReport, hangTenant } from './bad-tenant.ts'
import { type KillsReport, killWorkers } from './kills.ts'
import { type RotationReport, rotateSecrets } from './rotation.ts'
import { onStage, type Stage } from './stage.ts'

export { hangTenant, killWorkers, onStage, rotateSecrets }

export const about =
  'every event arrives while workers are killed, receivers fail or hang, and secrets rotate [--deliveries N]'

const DELIVERIES = 100_000
const FAULTS = 20
const GOOD_EVENTS = 200
const ROTATIONS = 10

const LATE_MS = 2000
const CONNECTIONS_MAX = 8

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { deliveries: { type: 'string', default: String(DELIVERIES) } } })
  const deliveries = Number(values.deliveries)
  if (!Number.isInteger(deliveries) || deliveries < 1) throw new Error('--deliveries must be a whole number from 1')
  await onBoth('Workers killed', KILLS_COLUMNS, checkKills, (stage) => killWorkers(stage, deliveries, FAULTS))
  await onBoth('One endpoint hangs', BAD_TENANT_COLUMNS, checkBadTenant, (stage) =>
    hangTenant(stage, deliveries, GOOD_EVENTS),
  )
  await onBoth('Secret rotated', ROTATION_COLUMNS, checkRotation, (stage) => rotateSecrets(stage, ROTATIONS))
}

type Columns<Report> = [title: string, cell: (report: Report) => string][]

async function onBoth<Report>(
  title: string,
  columns: Columns<Report>,
  check: (report: Report) => void,
  drill: (stage: Stage) => Promise<Report>,
): Promise<void> {
  const rows: string[][] = []
  try {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const report = await onStage(engine, drill)
      rows.push([ENGINES[engine], ...columns.map(([, cell]) => cell(report))])
      check(report)
    }
  } finally {
    printTable([title, ...columns.map(([name]) => name)], rows)
  }
}

const KILLS_COLUMNS: Columns<KillsReport> = [
  ['deliveries', ({ deliveries }) => whole(deliveries)],
  ['never created', ({ expected, deliveries }) => whole(expected - deliveries)],
  ['created twice', ({ createdTwice }) => whole(createdTwice)],
  ['arrived', ({ arrived }) => whole(arrived)],
  ['lost', ({ lost }) => whole(lost)],
  ['arrived twice', ({ twice }) => whole(twice)],
  ['changed body', ({ changed }) => whole(changed)],
  ['bad signature', ({ badSignatures }) => whole(badSignatures)],
  ['without event', ({ invented }) => whole(invented)],
  ['not marked delivered', ({ unsettled }) => whole(unsettled)],
  ['kills', ({ kills }) => whole(kills)],
  ['during fan-out', ({ faultsInFanOut }) => whole(faultsInFanOut)],
  ['attempts/s', ({ attemptsPerSecond }) => whole(attemptsPerSecond)],
  ['longest silence', ({ silenceSeconds }) => `${silenceSeconds.toFixed(1)} s`],
  ['took', ({ seconds }) => `${whole(seconds)} s`],
]

const BAD_TENANT_COLUMNS: Columns<BadTenantReport> = [
  ['waiting', ({ waiting }) => whole(waiting)],
  ['connections', ({ connections }) => whole(connections)],
  ['other events', ({ events }) => whole(events)],
  ['arrived', ({ arrived }) => whole(arrived)],
  ['p50', ({ p50Ms }) => ms(p50Ms)],
  ['p99', ({ p99Ms }) => ms(p99Ms)],
  ['max', ({ maxMs }) => ms(maxMs)],
]

const ROTATION_COLUMNS: Columns<RotationReport> = [
  ['deliveries', ({ deliveries }) => whole(deliveries)],
  ['lost', ({ lost }) => whole(lost)],
  ['rotations', ({ rotations }) => whole(rotations)],
  ['unverifiable', ({ unverifiable }) => whole(unverifiable)],
  ['signed by an expired secret', ({ signedByExpired }) => whole(signedByExpired)],
]

export function checkKills(report: KillsReport): void {
  const { expected, deliveries, createdTwice, lost, changed, badSignatures, invented, unsettled } = report
  if (deliveries === 0) throw new Error('there were no deliveries')
  if (createdTwice > 0) throw new Error(`${createdTwice} deliveries were created twice`)
  if (deliveries !== expected) throw new Error(`there are ${deliveries} deliveries instead of ${expected}`)
  if (report.faultsInFanOut === 0) throw new Error('no worker was killed while deliveries were being created')
  if (lost > 0) throw new Error(`${lost} deliveries never arrived`)
  if (changed > 0) throw new Error(`${changed} bodies changed`)
  if (badSignatures > 0) throw new Error(`${badSignatures} attempts had a bad signature`)
  if (invented > 0) throw new Error(`${invented} deliveries arrived without an event`)
  if (unsettled > 0) throw new Error(`${unsettled} deliveries arrived but are not marked as delivered`)
}

export function checkBadTenant({ events, arrived, p99Ms, connections }: BadTenantReport): void {
  if (arrived !== events) throw new Error(`${arrived} of ${events} events arrived`)
  if (!(p99Ms < LATE_MS)) throw new Error(`p99 is ${ms(p99Ms)}, not below ${ms(LATE_MS)}`)
  if (connections < 1 || connections > CONNECTIONS_MAX)
    throw new Error(`${connections} connections were open to the hanging endpoint`)
}

export function checkRotation({ deliveries, lost, unverifiable, signedByExpired }: RotationReport): void {
  if (deliveries === 0) throw new Error('there were no deliveries')
  if (lost > 0) throw new Error(`${lost} deliveries never arrived`)
  if (unverifiable > 0) throw new Error(`${unverifiable} attempts could not be verified`)
  if (signedByExpired > 0) throw new Error(`${signedByExpired} attempts were signed by an expired secret`)
}
