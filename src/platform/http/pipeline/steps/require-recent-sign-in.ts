import type { Step } from '../exchange.ts'
import { requireRecentSignIn } from '../recent-sign-in.ts'

/** Checks that the person has signed in a short time ago, for operations that declare it. */
export const requireRecentSignInIfDeclared: Step = ({ route, caller, nowMs }) => {
  if (route.operation.declared.needsRecentSignIn) requireRecentSignIn(caller, nowMs)
}
