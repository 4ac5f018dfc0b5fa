import { SECOND_MS } from '../platform/clock/index.ts'
import type { Logger } from '../platform/telemetry/logging.ts'

/** A supervisor usually kills a process 10 s after SIGTERM. */
const STOP_MS_MAX = 9 * SECOND_MS

/**
 * Ends the process after this time, with 1. Call it when it starts to stop: a client, a receiver or the database may
 * not respond. Everything that was acknowledged is on disk by then.
 */
export function exitIfStuck(log: Logger, stopMsMax = STOP_MS_MAX): void {
  setTimeout(() => {
    log.error(`could not stop within ${stopMsMax / SECOND_MS} s, so the process ends without completing its work`)
    log.flush(() => process.exit(1))
  }, stopMsMax).unref()
}
