import type { OrgId } from '../../platform/ids/index.ts'

/** What the schema does not say about columns: values, shapes and meanings. Copied into `tables.generated.ts`. */
export interface Columns {
  api_keys: {
    /** The scopes that the key has; null means all but those that must be named. */
    scopes: unknown
    /** The person who is responsible for it; null if it was created on the command line. */
    created_by: string | null
  }
  /** An organisation has a row once its balance has changed. */
  credit_balances: {
    /** Whether answers are charged. Null: as the settings of the installation say. */
    is_metered: boolean | null
    /** What visitors must leave. */
    reserved: number
  }
  credit_entries: {
    /** The balance after this entry. */
    balance: number
    reason: 'adjustment' | 'answer'
    /** The message with the answer. */
    message_id: string | null
  }
  invitations: {
    role: 'owner' | 'admin' | 'manager' | 'agent' | 'member'
    /** `pending` also for one that has expired and was not replaced yet. */
    status: 'pending' | 'accepted' | 'declined' | 'expired' | 'revoked'
    /** The person who is responsible for it: also of one that was created with an API key of theirs. */
    created_by: string | null
    /** Whether its link was sent to the address. Otherwise, the inviter was shown it. */
    is_mailed: boolean
  }
  /** What became of each thing that a job is about. */
  job_items: {
    /** The `object` of the resource. */
    target_kind: string
    result: 'changed' | 'unchanged' | 'skipped' | 'failed'
    reason: 'changed_since' | 'destination_missing' | 'deleted' | null
    /** What the kind of the job has to know about it later. */
    memo: unknown
  }
  jobs: {
    /** What has to be managed to carry it out, and viewed to see it: `,objects,qr,`. */
    areas: string
    status: 'queued' | 'running' | 'completed' | 'cancelled' | 'failed'
    /** What was asked for, for its kind. */
    input: unknown
    /** The finished job whose changes it takes back. */
    undoes: string | null
    /** Where the next piece begins, for its kind; null if that is the first one. */
    place: string | null
    actor_kind: 'person' | 'api_key' | 'application' | 'command_line' | 'system'
    actor_id: string | null
    /** How many attempts to carry out the next piece have failed. */
    failures: number
    /** When a worker should look at it: while it is leased, the end of the lease. Null once it is finished. */
    due_at: string | null
  }
  known_addresses: {
    /** An API key or an OAuth grant. */
    credential_id: string
    /** An IPv4 address, or the first half of an IPv6 address. */
    address: string
  }
  members: {
    role: 'owner' | 'admin' | 'manager' | 'agent' | 'member'
  }
  /** Applications. They belong to no organisation: people of any may allow them something. */
  oauth_clients: {
    /** A list of texts. */
    redirect_uris: unknown
    /** When a person last allowed it something; null until then. */
    used_at: string | null
  }
  /** What a person allows an application to do in an organisation. */
  oauth_grants: {
    /** A list of scopes. */
    scopes: unknown
    /** When the last of its tokens expires. */
    expires_at: string
  }
  oauth_tokens: {
    /** The hash of the token. */
    hash: string
    /** A request is an authorisation that a person has not decided about yet. */
    kind: 'request' | 'code' | 'access' | 'refresh'
    /** Null for a request. */
    grant_id: string | null
    /** What the library stores with it, without the token itself. */
    payload: unknown
    /** When a code or a refresh token was used. */
    consumed_at: string | null
  }
  one_time_links: {
    /** The hash of the token in the link. */
    hash: string
    purpose: 'set_up' | 'reset_password' | 'change_email' | 'confirm_email' | 'undo_email_change'
    /** The organisation whose first owner signs up. */
    org_id: OrgId | null
    /** The person whose password or address changes. */
    user_id: string | null
    /** The address to change to, or back to. */
    email: string | null
    /** Nobody else may take this address. Only of a link that undoes a change. */
    email_folded: string | null
  }
  /** Every slug that an organisation has or had. Addresses in print contain them. */
  organisation_slugs: {
    /** Null if the organisation was deleted. No other one gets the slug: codes with it may still be in print. */
    org_id: OrgId | null
  }
  organisations: {
    id: OrgId
    brand: object
    /** Null means the default of the installation. */
    rate_per_minute: number | null
    /** When it will be deleted. Null if nobody has asked for that. */
    deletes_at: string | null
    redirect_status: 302 | 307
    /** Created by `waymark demo`, which may delete it again. */
    is_demo: boolean
  }
  passkeys: {
    /** The authenticator's own name for it, base64url. */
    credential_id: string
    /** COSE, base64url. */
    public_key: string
    /** How often the authenticator says it was used. Always 0 for passkeys that are synchronised. */
    counter: number
    /** How browsers reach the authenticator: an array such as `["internal"]`. */
    transports: unknown
  }
  /** Codes that were not used yet. */
  recovery_codes: object
  sessions: {
    /** The hash of the token in the person's cookie. */
    hash: string
    /** The organisation that the person works in; null if they belong to none. */
    org_id: OrgId | null
    /** Where the person signed in, and with which browser. */
    address: string
    /** When the person last proved who they are. */
    authenticated_at: string
  }
  /** The authenticator app of a person. */
  totp_secrets: {
    /** Sealed. */
    seed: string
    /** The time step of the code that was used last. Only later ones are accepted. */
    last_step: number
  }
  /** Challenges that a passkey has signed. Each works once. */
  used_challenges: object
  /** People. A person can be a member of several organisations, so these rows belong to none. */
  users: {
    /** Compared instead of `email`. */
    email_folded: string
    /** Null until the person has chosen a password. */
    password_hash: string | null
    /** A deactivated person cannot sign in. */
    deactivated_at: string | null
    /** When the person opened a link that was mailed to the address, or somebody with a shell vouched for it. */
    email_confirmed_at: string | null
    /** The language in which the person last used our pages, for mails; null if they never have. */
    language: string | null
  }
}
