import { z } from 'zod'
import { type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { field } from '../../../platform/contract/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { randomBytes } from '../../../platform/ids/index.ts'
import { deleteOldestUnusedClient, deleteUnusedClients, insertClient } from './client-queries.ts'
import { UNUSED_CLIENT_MS, UNUSED_CLIENTS_MAX } from './limits.ts'
import { describeRedirectUri, findRedirectUriProblem } from './redirect-uri.ts'

const REDIRECT_URIS_MAX = 10
const ID_BYTES = 6
/** How much of a URI an error quotes. */
const SHOWN_MAX = 100
const UNUSED_BATCH = 500

/** Every client is public: it has no secret, so nobody can lose one. PKCE protects its codes. */
const GIVEN = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
} as const

const RedirectUris = z.array(z.string()).min(1).max(REDIRECT_URIS_MAX)
/** Invisible characters and those that change the direction of text could make one name look like another. */
const Name = field.name(100).refine((name) => !/\p{C}/u.test(name))
const LogoUri = field.httpsUrl

/** Metadata that a client registered with, and what we made of it (RFC 7591). */
interface RegisteredClient {
  client_id: string
  client_id_issued_at: number
  client_name: string
  redirect_uris: string[]
  logo_uri?: string
  grant_types: readonly string[]
  response_types: readonly string[]
  token_endpoint_auth_method: string
}

interface RegistrationError {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  error_description: string
}

type Metadata = Pick<RegisteredClient, 'client_name' | 'redirect_uris' | 'logo_uri'>

/** Registers an application. Metadata that we do not know is ignored, as RFC 7591 demands. */
export async function registerClient(
  database: Database,
  sent: unknown,
  now: Timestamp,
): Promise<RegisteredClient | RegistrationError> {
  const metadata = readMetadata(sent)
  if ('error' in metadata) return metadata
  const client_id = `wmc_${randomBytes(ID_BYTES).toString('hex')}`
  const { client_name, redirect_uris, logo_uri } = metadata
  await database.write(async (tx) => {
    await insertClient(tx, {
      id: client_id,
      name: client_name,
      redirect_uris,
      logo_url: logo_uri ?? null,
      used_at: null,
      created_at: now,
    })
    await deleteOldestUnusedClient(tx, UNUSED_CLIENTS_MAX)
  })
  return { client_id, client_id_issued_at: Math.floor(toMs(now) / 1000), ...metadata, ...GIVEN }
}

function readMetadata(sent: unknown): Metadata | RegistrationError {
  const fields: Record<string, unknown> = typeof sent === 'object' && sent !== null ? { ...sent } : {}
  const uris = RedirectUris.safeParse(fields.redirect_uris)
  if (!uris.success) {
    return refused('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${REDIRECT_URIS_MAX} URIs.`)
  }
  for (const [at, uri] of uris.data.entries()) {
    const problem = findRedirectUriProblem(uri)
    if (problem !== undefined)
      return refused('invalid_redirect_uri', `redirect_uris[${at}] (${shorten(uri)}): ${problem}`)
  }
  const name = Name.safeParse(fields.client_name ?? describeRedirectUri(uris.data[0] as string))
  if (!name.success) return refused('invalid_client_metadata', 'client_name must be 1 to 100 visible characters.')
  if (fields.logo_uri === undefined) return { client_name: name.data, redirect_uris: uris.data }
  const logo = LogoUri.safeParse(fields.logo_uri)
  if (!logo.success) return refused('invalid_client_metadata', 'logo_uri must be an HTTPS URL.')
  return { client_name: name.data, redirect_uris: uris.data, logo_uri: logo.data }
}

/** What identifies it to the developer who sent it. */
const shorten = (uri: string): string => JSON.stringify(uri.length > SHOWN_MAX ? `${uri.slice(0, SHOWN_MAX)}…` : uri)

const refused = (error: RegistrationError['error'], error_description: string): RegistrationError => ({
  error,
  error_description,
})

/** Deletes applications that registered but that nobody has allowed anything. */
export async function forgetUnusedClients(database: Database, nowMs: number): Promise<void> {
  const before = timestamp(nowMs - UNUSED_CLIENT_MS)
  for (;;) {
    const deleted = await database.write((tx) => deleteUnusedClients(tx, before, UNUSED_BATCH))
    if (deleted < UNUSED_BATCH) return
  }
}
