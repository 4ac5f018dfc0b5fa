import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import { hashToken } from '../../../platform/ids/index.ts'
import { selectClient } from './client-queries.ts'
import type { TokenProblem } from './refusals.ts'
import { accessTokens, refreshTokens } from './token.ts'
import { selectToken, type TokenKind } from './token-queries.ts'

const CLIENT_ID = /^wmc_[0-9a-f]{12}$/
/** What the library makes codes of. */
const CODE = /^[\w-]{20,100}$/

/** Where the grant of each type is, and what it looks like. */
const GRANTS: Readonly<Record<string, { name: string; kind: TokenKind; isWellFormed: (sent: string) => boolean }>> = {
  authorization_code: { name: 'code', kind: 'code', isWellFormed: (sent) => CODE.test(sent) },
  refresh_token: { name: 'refresh_token', kind: 'refresh', isWellFormed: (sent) => refreshTokens.isWellFormed(sent) },
}

/** Whether an application has registered with this id. */
export const isKnownClient = async (db: Db, id: string | null): Promise<boolean> =>
  id !== null && CLIENT_ID.test(id) && (await selectClient(db, id)) !== undefined

/**
 * Why a request for tokens is in vain; undefined if the library has to decide. Anybody can send such requests, so one that
 * names nothing that exists costs one or two reads, but neither the library nor a transaction. A code or a token that was used
 * before exists: the library then ends its grant.
 */
export async function findTokenProblem(
  db: Db,
  form: URLSearchParams,
  now: Timestamp,
): Promise<TokenProblem | undefined> {
  const clientId = form.get('client_id')
  const type = form.get('grant_type')
  if (clientId === null || type === null) return 'invalid_request'
  if (!(await isKnownClient(db, clientId))) return 'invalid_client'
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined
  if (grant === undefined) return 'unsupported_grant_type'
  const sent = form.get(grant.name)
  if (sent === null) return 'invalid_request'
  const row = grant.isWellFormed(sent) ? await selectToken(db, hashToken(sent), grant.kind) : undefined
  const isTheirs = row !== undefined && (row.payload as { clientId?: string }).clientId === clientId
  return isTheirs && row.expires_at > now ? undefined : 'invalid_grant'
}

/** Whether there is anything to revoke. */
export async function isKnownToken(db: Db, token: string): Promise<boolean> {
  const kinds = [
    ...(accessTokens.isWellFormed(token) ? (['access'] as const) : []),
    ...(refreshTokens.isWellFormed(token) ? (['refresh'] as const) : []),
  ]
  for (const kind of kinds) if ((await selectToken(db, hashToken(token), kind)) !== undefined) return true
  return false
}
