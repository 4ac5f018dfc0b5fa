import { ApiError } from '../../errors/index.ts'
import type { Step } from '../exchange.ts'

/** Whether the credential may do this at all. Managing an area includes viewing it. */
export const requireScope: Step = ({ route, caller: { scopes } }) => {
  const { scope } = route.operation
  if (scope === null || scopes === 'all') return
  if (scopes.has(scope) || scopes.has(scope.replace(/\.view$/, '.manage'))) return
  throw new ApiError('forbidden', `This credential lacks the scope ${scope}.`, {
    details: { required_scope: scope },
  })
}
