import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ms, printTable, whole } from '../../bench/support/table.ts'
import type { Engine } from '../../src/platform/db/types.ts'
import { WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'
import { Attacker, type AttackOrder } from '../fairness/attacker.ts'
import type { AttackName } from '../fairness/attacks.ts'
import { allowedP99Ms, MEMORY_MB_MAX } from '../fairness/finding.ts'
import { createObserved, type Kind, type Observations, Observer } from '../fairness/observer.ts'
import { onStage, type Stage } from '../fairness/stage.ts'
import { type Arms, prepareAttacks } from './attacks.ts'
import { Audit } from './audit.ts'

export const about =
  'mixed traffic of 20 tenants, one of them hostile, with kills in between [--minutes N] [--engine postgres]'

const OBSERVED_TENANTS = 19
const ARMS: Arms = { endpoints: 50, largeArticles: 20 }
const KINDS: readonly Kind[] = ['scan', 'me', 'write', 'article']
const PHASE_SECONDS = 15
/** Includes the time to get warm, which is left out before the first phase, too. */
const KILL_SECONDS = 6
/** The service is killed after every so many phases. */
const PHASES_PER_KILL = 12

export interface SoakOptions {
  phases: number
  phaseSeconds: number
  phasesPerKill: number
  tenants: number
  arms: Arms
}

interface Phase {
  attack: AttackName
  observed: Observations
  memoryMb: number
  memoryMbMax: number
}

export interface SoakReport {
  idle: Observations
  phases: Phase[]
  kills: number
  scans: number
  groups: number
  lostScans: number
  lostGroups: number
  lostEvents: number
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string', default: '10' }, engine: { type: 'string', default: 'sqlite' } },
  })
  const phases = Math.round((Number(values.minutes) * 60) / PHASE_SECONDS)
  if (!(phases >= 1)) throw new Error('--minutes must be a number')
  const report = await soak(values.engine === 'postgres' ? 'postgres' : 'sqlite', {
    phases,
    phaseSeconds: PHASE_SECONDS,
    phasesPerKill: PHASES_PER_KILL,
    tenants: OBSERVED_TENANTS,
    arms: ARMS,
  })
  print(report)
  checkNothingLost(report)
  checkOthers(report)
}

/** Tenants work as usual, one attacks in every way it knows, one after the other, and the service is killed at times. */
export async function soak(engine: Engine, options: SoakOptions): Promise<SoakReport> {
  const receiver = await WebhookReceiver.start()
  const audit = new Audit(receiver)
  try {
    const attacks = await prepareAttacks()
    const settings = { WEBHOOK_DEV_ALLOW: [receiver.host, attacks.imageHost].join() }
    try {
      return await onStage(engine, { settings }, async (stage) => {
        const tenants = []
        for (let n = 0; n < options.tenants; n++) tenants.push(await createObserved(stage, receiver.url(`/${n}`)))
        await using observer = await Observer.start(stage, tenants)
        const orders = await attacks.orders(stage, receiver.url('/hostile'), options.arms)
        return await observePhases(stage, observer, orders, audit, options)
      })
    } finally {
      attacks.close()
    }
  } finally {
    await receiver.close()
  }
}

async function observePhases(
  stage: Stage,
  observer: Observer,
  orders: readonly Omit<AttackOrder, 'port'>[],
  audit: Audit,
  { phases: count, phaseSeconds, phasesPerKill }: SoakOptions,
): Promise<SoakReport> {
  await observer.observe(KINDS, 2).then((warmUp) => audit.add(warmUp))
  const idle = await observer.observe(KINDS, phaseSeconds)
  audit.add(idle)
  const phases: Phase[] = []
  let kills = 0
  for (let n = 0; n < count; n++) {
    const order = orders[n % orders.length] as Omit<AttackOrder, 'port'>
    stage.takeMemoryMbMax()
    const attacker = await Attacker.start(stage, order)
    const observed = await observer.observe(KINDS, phaseSeconds)
    await attacker.stop()
    audit.add(observed)
    phases.push({ attack: order.attack, observed, memoryMb: stage.memoryMb(), memoryMbMax: stage.takeMemoryMbMax() })
    if ((n + 1) % phasesPerKill === 0) {
      const meanwhile = observer.observe(KINDS, KILL_SECONDS)
      await sleep((KILL_SECONDS * 1000) / 3)
      await stage.killAndRestart()
      kills++
      audit.add(await meanwhile)
    }
  }
  return { idle, phases, kills, ...(await audit.compare(stage)) }
}

function print({ idle, phases, ...report }: SoakReport): void {
  const p99s = ({ byKind }: Observations) => KINDS.map((kind) => ms(byKind[kind]?.p99Ms ?? Number.NaN))
  const failed = ({ byKind }: Observations) => Object.values(byKind).reduce((sum, { failed: n }) => sum + n, 0)
  printTable(
    ['attack', ...KINDS.map((kind) => `${kind} p99`), 'failed', 'memory', 'at most'],
    [
      ['none', ...p99s(idle), whole(failed(idle)), '', ''],
      ...phases.map(({ attack, observed, memoryMb, memoryMbMax }) => [
        attack,
        ...p99s(observed),
        whole(failed(observed)),
        `${whole(memoryMb)} MB`,
        `${whole(memoryMbMax)} MB`,
      ]),
    ],
  )
  console.log(
    `\n${report.kills} kills. Lost: ${report.lostScans} of ${whole(report.scans)} scans, ` +
      `${report.lostGroups} of ${whole(report.groups)} writes, ${report.lostEvents} of their events.`,
  )
}

export function checkNothingLost({ scans, groups, lostScans, lostGroups, lostEvents }: SoakReport): void {
  if (scans === 0 || groups === 0) throw new Error('nothing was confirmed')
  if (lostScans > 0) throw new Error(`${lostScans} confirmed scans were lost`)
  if (lostGroups > 0) throw new Error(`${lostGroups} confirmed writes were lost`)
  if (lostEvents > 0) throw new Error(`${lostEvents} events did not arrive`)
}

/** All requests of the other tenants succeed, and no kind of them gets much slower. */
function checkOthers({ idle, phases }: SoakReport): void {
  for (const { attack, observed, memoryMbMax } of phases) {
    if (memoryMbMax > MEMORY_MB_MAX) throw new Error(`${attack}: ${whole(memoryMbMax)} MB of memory`)
    for (const kind of KINDS) {
      const [before, during] = [idle.byKind[kind], observed.byKind[kind]]
      if (before === undefined || during === undefined) throw new Error(`${kind} was not observed`)
      if (during.failed > 0) throw new Error(`${attack}: ${during.failed} × ${kind} failed`)
      if (during.p99Ms > allowedP99Ms(attack, before.p99Ms))
        throw new Error(`${attack}: ${kind} p99 ${ms(during.p99Ms)} instead of ${ms(before.p99Ms)}`)
    }
  }
}
