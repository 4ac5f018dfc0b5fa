import type { Step } from '../exchange.ts'

/** Comes before the steps that may use much processor time. */
export const waitForTurn: Step = ({ caller }, { turns }) => turns.wait(caller.orgId)
