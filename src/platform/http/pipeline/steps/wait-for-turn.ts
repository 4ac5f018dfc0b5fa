import type { Step } from '../exchange.ts'

/** Comes before the steps that may use much processor time. */
export const waitForTurn: Step = ({ caller, route }, { turns }) =>
  turns.wait(caller.orgId, route.operation.declared.method === 'GET')
