import type { Credential } from './context.ts'

/** Whether a credential has a scope of an area. `<area>.manage` includes `<area>.view`. */
export const hasScope = ({ scopes }: Pick<Credential, 'scopes'>, scope: string): boolean =>
  scopes === 'all' || scopes.has('all') || scopes.has(scope) || scopes.has(scope.replace(/\.view$/, '.manage'))
