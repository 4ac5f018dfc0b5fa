import { Join } from '../../modules/account/accept-invitation/index.ts'
import { mountAccount } from '../../modules/account/account-pages/index.ts'
import { AddressProofs } from '../../modules/account/address-proofs/index.ts'
import { ApiKeyAuthenticator } from '../../modules/account/api-keys/index.ts'
import { Credits } from '../../modules/account/credits/index.ts'
import { EmailChanges } from '../../modules/account/email-changes/index.ts'
import { Factors, Proofs, Tickets } from '../../modules/account/factors/index.ts'
import { KnownAddresses } from '../../modules/account/known-addresses/index.ts'
import { AccessTokenAuthenticator, mountOAuth } from '../../modules/account/oauth/index.ts'
import { Passwords } from '../../modules/account/passwords/index.ts'
import { CookieAuthenticator } from '../../modules/account/sessions/index.ts'
import { Attempts, Confirm, SignIn } from '../../modules/account/sign-in/index.ts'
import { deleteEndpointsOfGrant } from '../../modules/webhooks/webhooks/index.ts'
import { forStrangers } from '../../platform/db/index.ts'
import type { Steps } from '../../platform/jobs/in-steps.ts'
import type { Ground } from './ground.ts'
import type { MailGroup } from './mail.ts'

type AccountServices = Parameters<typeof mountAccount>[1]

export function wireAccount(ground: Ground, { mails }: MailGroup) {
  const { config, keyring, server, bodies, hasher, addressOf, clock, log, shutdown } = ground
  const { appUrl, acceptsAnyHost, caps } = config
  // Anybody can send what these parts receive: who signs in, or an application that asks for tokens.
  const database = forStrangers(ground.database)
  const apiKeys = new ApiKeyAuthenticator(database, caps, log)
  const sessions = new CookieAuthenticator(database, appUrl, caps, log)
  const uses = new KnownAddresses(database, log)
  const accessTokens = new AccessTokenAuthenticator(database, caps, log)
  shutdown.atLast(() => Promise.all([apiKeys.flush(), sessions.flush(), accessTokens.flush(), uses.flush()]))
  return {
    authenticators: [apiKeys, accessTokens],
    sessions,
    uses,
    credits: new Credits({ mails, lowCredits: config.credits.low, isMetered: config.credits.isMetered }),

    /**
     * Adds the account pages, which call operations of the API, and the authorisation server. Returns what can be loaded
     * before the first request needs it.
     */
    mountPages(call: AccountServices['call']): Steps {
      const tickets = new Tickets(database, keyring)
      const proofs = new Proofs(database, keyring, tickets)
      const addresses = new AddressProofs(database, mails)
      const shared = {
        database,
        appUrl,
        acceptsAnyHost,
        addressOf,
        sessions,
        cleanUpAfterGrant: deleteEndpointsOfGrant,
      }
      const signing = {
        ...shared,
        passwords: hasher,
        proofs,
        tickets,
        addresses,
        attempts: new Attempts(),
        mails,
        log,
      }
      const { pages, steps } = mountAccount(
        server,
        {
          ...shared,
          keyring,
          mails,
          proofs,
          emailChanges: new EmailChanges(signing),
          signIn: new SignIn(signing),
          confirm: new Confirm(signing),
          factors: new Factors(database, keyring, tickets, mails),
          join: new Join(signing),
          addresses,
          passwords: new Passwords(signing),
          call,
          log,
          clock,
        },
        bodies,
      )
      mountOAuth(server, pages, { ...ground, ...shared })
      return steps
    },
  }
}

export type AccountGroup = ReturnType<typeof wireAccount>
