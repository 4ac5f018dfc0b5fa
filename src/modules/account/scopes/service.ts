import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { NamedScope } from './contract.ts'

/** Checks what an operation requires besides its own scope, depending on the body of the request. */
export function requireNamedScope({ credential: { scopes } }: Context, scope: NamedScope): void {
  if (scopes !== 'all' && scopes.has(scope)) return
  throw new ApiError('forbidden', `This credential lacks the scope ${scope}.`, { details: { required_scope: scope } })
}
