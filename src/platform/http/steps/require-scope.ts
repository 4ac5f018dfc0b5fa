import { ApiError } from '../../errors/index.ts'
import type { Step } from '../exchange.ts'

/** Checks that the credential has the scope of the operation. `<area>.manage` includes `<area>.view`. */
export const requireScope: Step = ({ route, caller: { scopes } }) => {
  const { scope } = route.operation
  if (scope === null || scopes === 'all') return
  if (scopes.has(scope) || scopes.has(scope.replace(/\.view$/, '.manage'))) return
  throw new ApiError('forbidden', `This credential lacks the scope ${scope}.`, {
    details: { required_scope: scope },
  })
}
