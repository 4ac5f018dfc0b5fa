import { ApiError } from '../../../errors/index.ts'
import { challenge } from '../challenge.ts'
import type { Step } from '../exchange.ts'

/** Checks that the credential may use the operation. `<area>.manage` includes `<area>.view`. */
export const requireScope: Step = ({ route, caller: { kind, scopes }, headers }, services) => {
  const { scope, onlyInSession } = route.operation
  if (onlyInSession && kind !== 'session') {
    throw new ApiError('forbidden', 'Only a person who is signed in may do this. Use the account pages.')
  }
  if (scope === null || scopes === 'all' || scopes.has('all')) return
  if (scopes.has(scope) || scopes.has(scope.replace(/\.view$/, '.manage'))) return
  if (kind !== 'session') headers['www-authenticate'] = challenge(services, scope, 'insufficient_scope')
  throw new ApiError('forbidden', `This credential lacks the scope ${scope}.`, {
    details: { required_scope: scope },
  })
}
