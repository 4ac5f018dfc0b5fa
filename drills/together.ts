import type { Engine } from '../src/platform/db/types.ts'
import { eventually } from '../src/testing/eventually.ts'
import * as credits from './credits/index.ts'
import * as idempotency from './idempotency/index.ts'
import { onStage } from './restartable.ts'
import { journalDrained } from './scans/audit.ts'
import * as scans from './scans/index.ts'
import * as submissions from './submissions/index.ts'

const SCANNERS = { connections: 8, pauseMs: 20 }
const VISITORS = 4
const ASKERS = 6
/** More than are asked before the kill, so that answers are paid when it happens. They run out afterwards. */
const CREDITS = 60
const DUPLICATES = 6

/** The loads of several drills at once, on one service that is killed once, while all of them wait for responses. */
export async function killOnce(engine: Engine): Promise<void> {
  const settings = { ...submissions.SETTINGS, ...idempotency.SETTINGS, ...credits.settingsFor(CREDITS) }
  await onStage(engine, { settings, processes: idempotency.PROCESSES[engine] }, async (stage) => {
    let [isOver, isBroke] = [false, false]
    const scanning = await scans.scanCodes(stage, SCANNERS)
    const sending = await submissions.sendForms(stage, VISITORS, () => !isOver)
    const repeating = idempotency.sendDuplicates(stage, DUPLICATES, () => !isOver)
    const asking = await credits.askQuestions(stage, ASKERS, () => !isBroke)
    const loads = [scanning, sending, repeating, asking]
    const allAnswered = async () => {
      const before = loads.map((load) => load.answered())
      await eventually(() => loads.every((load, n) => load.answered() > (before[n] as number)))
    }

    await allAnswered()
    const [killed] = stage.services
    await killed.kill()
    await killed.start()
    await allAnswered()
    isOver = true
    await scanning.scanners.stop()
    await eventually(() => asking.isRefused())
    isBroke = true
    await Promise.all(loads.map(({ ended }) => ended))

    await journalDrained(stage.folder)
    await Promise.all(stage.services.map((service) => service.stop()))
    scans.check(await scanning.audit(stage.location))
    submissions.check(await sending.audit(stage.location))
    idempotency.check(await repeating.audit(stage.location))
    credits.check(await asking.audit(stage.location), CREDITS)
  })
}
