import { settleState, toDestinationColumns } from '../destinations/index.ts'
import type { ScheduledSetup, TargetSetup } from '../scan-targets/index.ts'

/** The setup with what was scheduled for this moment or earlier. Nearly none has anything scheduled. */
export function setupAt(setup: TargetSetup, nowMs: number): TargetSetup {
  if (setup.scheduled === undefined) return setup
  return setup.scheduled.filter(({ atMs }) => atMs <= nowMs).reduce(applyScheduled, setup)
}

function applyScheduled(setup: TargetSetup, scheduled: ScheduledSetup): TargetSetup {
  const { version, destination, rules } = scheduled
  const { rules: before, ...others } = setup
  const after = rules === undefined ? before : (rules ?? undefined)
  return {
    ...others,
    status: statusAfter(setup, scheduled),
    destination: destination === undefined ? setup.destination : destination,
    ...(after !== undefined && { rules: after }),
    version,
  }
}

/** The same as after a request: a destination sets up what was not, for example. */
function statusAfter(setup: TargetSetup, { status, destination }: ScheduledSetup) {
  const columns = { ...toColumns(setup.destination), destination_article_id: null }
  const sent = destination === undefined ? undefined : toRef(destination)
  return settleState({ status, destination: sent }, { ...columns, status: setup.status }).status
}

/** Only whether there is a destination matters here. */
const toRef = (destination: TargetSetup['destination']) =>
  destination === null ? null : ({ type: 'url', id: null, url: destination.address } as const)

const toColumns = (destination: TargetSetup['destination']) => toDestinationColumns(toRef(destination))
