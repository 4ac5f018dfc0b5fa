import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { DAY_MS, type Timestamp, timestamp } from '../../clock/index.ts'
import { DatabaseUnavailable, UnstorableValue } from '../../db/failures.ts'
import { compiled, compiledStatement, type Db, runWithoutResult, type Tx } from '../../db/index.ts'
import type { OrgId } from '../../ids/index.ts'
import type { Keyring } from '../../keyring/index.ts'

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

const byIdentity = compiled(
  (db: Db, orgId: OrgId, credentialId: string, method: string, path: string, key: string, since: Timestamp) =>
    db
      .selectFrom('idempotent_answers')
      .select(['status', 'body', 'request_id', 'body_hash'])
      .where('org_id', '=', orgId)
      .where('credential_id', '=', credentialId)
      .where('method', '=', method)
      .where('path', '=', path)
      .where('key', '=', key)
      .where('created_at', '>', since),
)

export async function selectStoredResponse(
  db: Db,
  orgId: OrgId,
  { credentialId, method, path, key }: RequestIdentity,
  keyring: Keyring,
  nowMs: number,
): Promise<StoredResponse | undefined> {
  const [row] = await byIdentity(db, orgId, credentialId, method, path, key, windowStart(nowMs))
  if (row === undefined) return undefined
  return {
    status: row.status,
    body: await keyring.open(row.body, db, nowMs),
    requestId: row.request_id,
    bodyHash: row.body_hash,
  }
}

/** Replaces an expired response. One that is not expired gets a status of null, which makes the statement fail. */
const upsert = compiledStatement(
  (
    _tx: Tx,
    orgId: OrgId,
    credentialId: string,
    method: string,
    path: string,
    key: string,
    bodyHash: string,
    status: number,
    body: string,
    requestId: string,
    now: Timestamp,
    since: Timestamp,
  ) => sql`
    insert into idempotent_answers
      (org_id, credential_id, method, path, key, body_hash, status, body, request_id, created_at)
    values (${orgId}, ${credentialId}, ${method}, ${path}, ${key}, ${bodyHash}, ${status}, ${body}, ${requestId}, ${now})
    on conflict (org_id, credential_id, method, path, key) do update set
      status = case when idempotent_answers.created_at <= ${since} then excluded.status end,
      body_hash = excluded.body_hash, body = excluded.body, request_id = excluded.request_id,
      created_at = excluded.created_at`,
)

/** The same request has a response already, and that counts. */
export class StoredBefore extends Error {}

/** Another process holds the lock of the same Idempotency-Key: its transaction is not over yet. */
export class RunningInAnotherProcess extends Error {}

/** Stores a response. If there is one already, the transaction fails. */
export function insertStoredResponse(
  tx: Tx,
  orgId: OrgId,
  { credentialId, method, path, key, bodyHash }: RequestIdentity,
  { status, body, requestId }: Omit<StoredResponse, 'bodyHash'>,
  keyring: Keyring,
  nowMs: number,
): Promise<void> {
  const now = timestamp(nowMs)
  const sealed = keyring.seal(body)
  const since = windowStart(nowMs)
  return runWithoutResult(
    tx,
    upsert(tx, orgId, credentialId, method, path, key, bodyHash, status, sealed, requestId, now, since),
    (error) => {
      if (error instanceof UnstorableValue) return new StoredBefore()
      return error instanceof DatabaseUnavailable && error.locked ? new RunningInAnotherProcess() : error
    },
  )
}

const windowStart = (nowMs: number): Timestamp => timestamp(nowMs - IDEMPOTENCY_WINDOW_MS)
