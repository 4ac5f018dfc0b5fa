import type { Step } from '../exchange.ts'

const SMALL_BYTES_MAX = 4 * 1024

/** Comes before the steps that may use much processor time. */
export const waitForTurn: Step = ({ caller, route, rawBody }, { turns }) =>
  turns.wait(caller.orgId, {
    isShort: route.operation.declared.method === 'GET',
    isSmall: rawBody === undefined || rawBody.content.length <= SMALL_BYTES_MAX,
  })
