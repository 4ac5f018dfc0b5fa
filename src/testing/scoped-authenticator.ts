import { ApiError } from '../platform/errors/index.ts'
import type { Authenticator, Credential } from '../platform/http/pipeline/context.ts'
import { newId, type OrgId } from '../platform/ids/index.ts'

/** Issues credentials with scopes or a grant, so that tests can check both on every operation. */
export class ScopedAuthenticator implements Authenticator {
  readonly prefix = 'test_scoped_'
  readonly #credentials = new Map<string, Credential>()

  issue(orgId: OrgId, scopes: readonly string[], grantId: string | null = null): string {
    const token = `${this.prefix}${this.#credentials.size}`
    this.#credentials.set(token, {
      kind: 'api_key',
      id: newId(),
      name: 'Scoped',
      orgId,
      userId: null,
      scopes: new Set(scopes),
      grantId,
      caps: { perMinute: 1_000_000, perHour: 1_000_000 },
    })
    return token
  }

  authenticate(token: string): Credential {
    const credential = this.#credentials.get(token)
    if (credential === undefined) throw new ApiError('invalid_api_key', 'This credential is not recognised.')
    return credential
  }
}
