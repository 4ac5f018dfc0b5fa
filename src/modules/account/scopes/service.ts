import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, hasScope } from '../../../platform/http/index.ts'
import type { Area, NamedScope } from './contract.ts'

/** Checks what an operation requires besides its own scope, depending on the body of the request. */
export function requireNamedScope({ credential: { scopes } }: Context, scope: NamedScope): void {
  if (scopes !== 'all' && scopes.has(scope)) return
  throw lacks(scope)
}

/** Checks what an operation requires besides its own scope, if it reaches into several areas. */
export function requireManage({ credential }: Context, areas: readonly Area[]): void {
  for (const area of areas) if (!hasScope(credential, `${area}.manage`)) throw lacks(`${area}.manage`)
}

const lacks = (scope: string): ApiError =>
  new ApiError('forbidden', `This credential lacks the scope ${scope}.`, { details: { required_scope: scope } })
