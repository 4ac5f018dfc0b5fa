import type { Services } from './exchange.ts'

/**
 * Says in `WWW-Authenticate` how a client gets a token that may use the operation (RFC 6750, RFC 9728). `error` is left out if
 * the client has sent none.
 */
export function challenge(
  { resourceMetadataUrl }: Pick<Services, 'resourceMetadataUrl'>,
  scope: string | null,
  error?: 'invalid_token' | 'insufficient_scope',
): string {
  const parameters = Object.entries({ error, scope: scope ?? undefined, resource_metadata: resourceMetadataUrl })
  return `Bearer ${parameters.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`])).join(', ')}`
}
