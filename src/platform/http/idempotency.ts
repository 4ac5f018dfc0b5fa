import { hash } from 'node:crypto'
import { DAY_MS, type Timestamp, timestamp } from '../clock/index.ts'
import type { Db, Tx } from '../db/index.ts'
import type { OrgId } from '../ids/index.ts'
import type { Keyring } from '../keyring/index.ts'

/**
 * The responses to requests with an `Idempotency-Key`, stored for a day. A response is inserted in the transaction of
 * the change itself, so a crash leaves both or neither.
 */
interface IdempotentResponsesTable {
  org_id: string
  credential_id: string
  method: string
  path: string
  key: string
  body_hash: string
  status: number
  /** Always encrypted: some responses contain a secret that is shown only once. */
  body: string
  request_id: string
  created_at: string
}

declare module '../db/types.ts' {
  interface Tables {
    idempotent_answers: IdempotentResponsesTable
  }
}

export const IDEMPOTENCY_WINDOW_MS = DAY_MS

/** Identifies a request. The same key with another path or credential is another request. */
export interface RequestIdentity {
  orgId: OrgId
  credentialId: string
  method: string
  path: string
  key: string
  bodyHash: string
}

export interface StoredResponse {
  status: number
  body: string
  requestId: string
  bodyHash: string
}

/** Hashes the parsed body, so that white space and the order of keys do not matter. */
export const hashBody = (body: unknown): string => hash('sha256', JSON.stringify(body, sortKeys) ?? '', 'base64')

const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

export async function selectStoredResponse(
  db: Db,
  orgId: OrgId,
  request: RequestIdentity,
  keyring: Keyring,
  nowMs: number,
): Promise<StoredResponse | undefined> {
  const row = await db
    .selectFrom('idempotent_answers')
    .select(['status', 'body', 'request_id', 'body_hash'])
    .where('org_id', '=', orgId)
    .where('credential_id', '=', request.credentialId)
    .where('method', '=', request.method)
    .where('path', '=', request.path)
    .where('key', '=', request.key)
    .where('created_at', '>', windowStart(nowMs))
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    status: row.status,
    body: await keyring.open(row.body, db, nowMs),
    requestId: row.request_id,
    bodyHash: row.body_hash,
  }
}

/** Returns false if an unexpired response already exists: another process was first, and its response counts. */
export async function insertStoredResponse(
  tx: Tx,
  orgId: OrgId,
  request: RequestIdentity,
  response: Omit<StoredResponse, 'bodyHash'>,
  keyring: Keyring,
  nowMs: number,
): Promise<boolean> {
  const values = {
    body_hash: request.bodyHash,
    status: response.status,
    body: keyring.seal(response.body),
    request_id: response.requestId,
    created_at: timestamp(nowMs),
  }
  const { credentialId: credential_id, method, path, key } = request
  const inserted = await tx
    .insertInto('idempotent_answers')
    .values({ org_id: orgId, credential_id, method, path, key, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'credential_id', 'method', 'path', 'key'])
        .doUpdateSet(values)
        .where('idempotent_answers.created_at', '<=', windowStart(nowMs)),
    )
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

const windowStart = (nowMs: number): Timestamp => timestamp(nowMs - IDEMPOTENCY_WINDOW_MS)
