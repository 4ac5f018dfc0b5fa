import type { Clock } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Call, Caller, CallResult } from '../../../platform/http/pipeline/call-operation.ts'
import type { SecretCookie } from '../../../platform/http/server/cookies.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { Join } from '../accept-invitation/index.ts'
import type { AddressProofs } from '../address-proofs/index.ts'
import type { CleanUpAfterGrant } from '../connected-applications/index.ts'
import type { EmailChanges } from '../email-changes/index.ts'
import type { Factors, Proofs } from '../factors/index.ts'
import type { Passwords } from '../passwords/index.ts'
import type { CookieAuthenticator } from '../sessions/index.ts'
import type { Confirm, SignIn } from '../sign-in/index.ts'

/** What the account pages use. */
export interface AccountServices {
  database: Database
  keyring: Keyring
  sessions: CookieAuthenticator
  signIn: SignIn
  confirm: Confirm
  proofs: Proofs
  factors: Factors
  join: Join
  addresses: AddressProofs
  passwords: Passwords
  emailChanges: EmailChanges
  mails: Pick<Mails, 'canSend'>
  /** What happens to the webhook endpoints of an application whose grant ends. */
  cleanUpAfterGrant: CleanUpAfterGrant
  appUrl: string
  /** Whether the service does not know its own host name. */
  acceptsAnyHost: boolean
  addressOf: (request: Caller['request']) => string
  /** Calls an operation of the API, by its id. */
  call: (operation: string, caller: Caller, call: Call) => Promise<CallResult>
  log: Logger
  clock: Clock
}

export interface AccountRequestServices extends AccountServices {
  /** Remembers who signed in with this browser. */
  browserCookie: SecretCookie
  /** Holds the ticket for the second step of signing in. */
  stepCookie: SecretCookie
}
