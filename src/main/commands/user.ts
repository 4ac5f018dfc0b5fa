import { type Command, Option } from 'commander'
import { replaceEmail } from '../../modules/account/email-changes/index.ts'
import { endAccess } from '../../modules/account/end-access/index.ts'
import { resetFactors } from '../../modules/account/factors/index.ts'
import {
  addMember,
  auditPerson,
  listMemberships,
  listMembersOf,
  organisationPeople,
} from '../../modules/account/members/index.ts'
import { createLink } from '../../modules/account/one-time-links/index.ts'
import { getOrganisationBySlug } from '../../modules/account/organisations/index.ts'
import { ROLES, type RoleName } from '../../modules/account/roles/index.ts'
import { endOtherSessions } from '../../modules/account/sessions/index.ts'
import { createUser, deactivateUser, findUserByEmail, type User } from '../../modules/account/users/index.ts'
import { withdrawTrust } from '../../modules/account/withdrawn-trust/index.ts'
import { Mails } from '../../modules/mail/mails/index.ts'
import { deleteEndpointsOfGrant } from '../../modules/webhooks/webhooks/index.ts'
import { withAudit } from '../../platform/audit/index.ts'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { OperatorError } from '../../platform/errors/operator-error.ts'
import { randomBase62 } from '../../platform/ids/index.ts'
import { Keyring } from '../../platform/keyring/index.ts'
import { findPasswordProblem, PasswordHasher } from '../../platform/passwords/index.ts'
import { createRateLimiter } from '../../platform/rate-limit/index.ts'
import type { Config, ReadSettings } from '../config.ts'
import { resetUrl } from '../links.ts'
import { withDatabase } from '../open-database.ts'
import { OPERATOR } from '../operator-context.ts'
import { print, table } from '../output.ts'

const PASSWORD_LENGTH = 20
const now = () => timestamp(systemClock())

export function addUser(program: Command, readSettings: ReadSettings): void {
  const user = program.command('user').summary('manage people').description('Manages people and their accounts.')

  user
    .command('create')
    .summary('create a person and make them a member')
    .description(
      `Creates a person and makes them a member of an organisation. Prints their password, which cannot be shown again. A
person who has an account keeps their password.`,
    )
    .requiredOption('--org <slug>', 'slug of the organisation')
    .requiredOption('--email <address>', 'email address')
    .addOption(
      new Option('--role <role>', 'role in the organisation')
        .choices(ROLES.map(({ name }) => name))
        .makeOptionMandatory(),
    )
    .option('--password <password>', 'password; without it, one is made up')
    .action(async (options: { org: string; email: string; role: RoleName; password?: string }, command: Command) => {
      const { email, role } = options
      const password = options.password ?? randomBase62(PASSWORD_LENGTH)
      const problem = findPasswordProblem(password, email)
      if (problem !== undefined) throw new OperatorError(`The password is ${problem.replace('_', ' ')}.`)
      const passwordHash = await new PasswordHasher().hash(password, 'operator')
      const { created, isNew } = await withDatabase(readSettings(), async (database) => {
        const { id: orgId } = await getOrganisationBySlug(database.read, options.org)
        return database.write(async (tx) => {
          const existing = await findUserByEmail(tx, email)
          const person = { email, first_name: null, last_name: null, passwordHash, isEmailConfirmed: true }
          const created = existing ?? (await createUser(tx, person, now()))
          await withAudit(tx, orgId, OPERATOR, now(), () => addMember(tx, orgId, created.id, role, now()))
          return { created, isNew: existing === undefined }
        })
      })
      const shown = { id: created.id, email: created.email, ...(isNew && { password }) }
      const secret = isNew ? `\nPassword (shown only once)   ${password}` : ''
      print(command, shown, `${created.email} is now ${role} of ${options.org}.${secret}`)
    })

  user
    .command('list')
    .summary('list the members of an organisation')
    .description('Lists the members of an organisation, the newest first.')
    .requiredOption('--org <slug>', 'slug of the organisation')
    .action(async (options: { org: string }, command: Command) => {
      const data = await withDatabase(readSettings(), async ({ read }) =>
        listMembersOf(read, (await getOrganisationBySlug(read, options.org)).id),
      )
      const rows = data.map(({ user_id, email, role, joined_at }) => [user_id, email, role, joined_at])
      print(command, { data }, table(['ID', 'EMAIL', 'ROLE', 'JOINED'], rows))
    })

  user
    .command('reset-password')
    .summary('print a link to set a new password')
    .description('Prints a link with which a person can set a new password. It works once, within an hour.')
    .argument('<email>', 'email address of the person')
    .action(async (email: string, _options: object, command: Command) => {
      const config = readSettings()
      const url = await withDatabase(config, async (database) => {
        const person = await requireUser(database.read, email)
        const token = await database.write(async (tx) => {
          await record(tx, person, 'user.password_reset_requested')
          return createLink(tx, 'reset_password', { userId: person.id }, now())
        })
        return resetUrl(config.appUrl, token)
      })
      print(command, { url }, `Open this link within an hour to set a new password:\n${url}`)
    })

  user
    .command('change-email')
    .summary('change the email address of a person')
    .description(
      `Changes the email address of a person, without a confirmation, and signs them out everywhere. If mail is set up, the
old address gets a notice. It cannot undo this change, and earlier addresses cannot undo theirs any more.`,
    )
    .argument('<email>', 'current email address of the person')
    .argument('<new-email>', 'new email address')
    .action(async (email: string, newEmail: string, _options: object, command: Command) => {
      const config = readSettings()
      const { id } = await withDatabase(config, async (database) => {
        const person = await requireUser(database.read, email)
        const mails = await openMails(config, database)
        await database.write(async (tx) => {
          await replaceEmail(tx, person, newEmail, OPERATOR, mails, now())
          await endOtherSessions(tx, person.id, null)
        })
        return person
      })
      print(command, { id, email: newEmail }, `${email} now signs in as ${newEmail}.`)
    })

  user
    .command('reset-factors')
    .summary('remove the second factors of a person')
    .description(
      `Removes the authenticator app, the passkeys and the recovery codes of a person, and signs them out everywhere. They
can then sign in with their password alone. For somebody who has lost their phone: first make sure who is asking.`,
    )
    .argument('<email>', 'email address of the person')
    .action(async (email: string, _options: object, command: Command) => {
      const person = await withDatabase(readSettings(), async (database) => {
        const person = await requireUser(database.read, email)
        await database.write(async (tx) => {
          await resetFactors(tx, person, OPERATOR, now())
          await endOtherSessions(tx, person.id, null)
        })
        return person
      })
      const text = `${person.email} has no second factors any more and can sign in with their password.`
      print(command, { id: person.id, email: person.email }, text)
    })

  user
    .command('deactivate')
    .summary('keep a person from signing in')
    .description(
      `Signs a person out everywhere, disconnects their applications, revokes the invitations and pauses the API keys that they
have created, and keeps them from signing in. \`--undo\` lets them sign in again, and nothing else.`,
    )
    .argument('<email>', 'email address of the person')
    .option('--undo', 'let the person sign in again')
    .action(async (email: string, options: { undo?: true }, command: Command) => {
      const isActive = options.undo === true
      const config = readSettings()
      const changed = await withDatabase(config, async (database) => {
        const person = await requireUser(database.read, email)
        const mails = await openMails(config, database)
        return database.write(async (tx) => {
          const changed = await deactivateUser(tx, person.id, isActive ? null : now(), now())
          await record(tx, person, isActive ? 'user.reactivated' : 'user.deactivated')
          if (isActive) return changed
          await endAccess(tx, person.id, OPERATOR, now(), deleteEndpointsOfGrant)
          const member = { user_id: person.id, email: person.email }
          for (const { org_id } of await listMemberships(tx, person.id)) {
            await withAudit(tx, org_id, OPERATOR, now(), () => withdrawTrust(tx, org_id, member, now(), mails))
          }
          return changed
        })
      })
      const state = isActive ? 'can sign in again' : 'cannot sign in any more'
      print(command, { id: changed.id, email: changed.email, is_active: isActive }, `${changed.email} ${state}.`)
    })
}

async function openMails(config: Config, database: Database): Promise<Mails> {
  const keyring = await Keyring.load(database, config, systemClock())
  const canSend = config.mail !== undefined
  return new Mails({ keyring, limiter: createRateLimiter(database), people: organisationPeople, canSend })
}

const record = (tx: Tx, { id }: User, action: string): Promise<void> =>
  auditPerson(tx, id, OPERATOR, [{ action, resource: { type: 'user', id }, changes: null }], now())

async function requireUser(db: Db, email: string): Promise<User> {
  const user = await findUserByEmail(db, email)
  if (user === undefined) throw new OperatorError(`There is no person with the email address ${email}.`)
  return user
}
