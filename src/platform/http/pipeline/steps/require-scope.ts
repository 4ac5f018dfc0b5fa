import { ApiError } from '../../../errors/index.ts'
import { challenge } from '../challenge.ts'
import type { Step } from '../exchange.ts'
import { hasScope } from '../has-scope.ts'

/** Checks that the credential may use the operation. */
export const requireScope: Step = ({ route, caller, headers }, services) => {
  const { scope, onlyInSession } = route.operation
  if (onlyInSession && caller.kind !== 'session') {
    throw new ApiError('forbidden', 'Only a person who is signed in may do this. Use the account pages.')
  }
  if (scope === null || hasScope(caller, scope)) return
  if (caller.kind !== 'session') headers['www-authenticate'] = challenge(services, scope, 'insufficient_scope')
  throw new ApiError('forbidden', `This credential lacks the scope ${scope}.`, {
    details: { required_scope: scope },
  })
}
