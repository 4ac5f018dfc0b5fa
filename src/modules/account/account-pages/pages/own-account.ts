import type { AuditedChange } from '../../../../platform/audit/index.ts'
import type { Tx } from '../../../../platform/db/index.ts'
import { type OrgId, UUID_PATTERN } from '../../../../platform/ids/index.ts'
import { auditPerson, listMemberships } from '../../members/index.ts'
import {
  endSession as endOne,
  endOtherSessions as endOthers,
  personActor,
  switchOrganisation as switchTo,
} from '../../sessions/index.ts'
import { updateProfile } from '../../users/index.ts'
import { readText } from '../forms.ts'
import { PATHS } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'
import { renewedCookie } from './sign-in/sign-in.ts'

/** What people do with their own account and sessions. */
export async function saveProfile(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form, person, now } = visit
  const names = { first_name: readText(form, 'first_name'), last_name: readText(form, 'last_name') }
  await services.database.write(async (tx) => {
    const changes = await updateProfile(tx, person.user_id, names, now)
    if (changes === undefined) return
    await record(tx, visit, { action: 'user.updated', resource: { type: 'user', id: person.user_id }, changes })
  })
  services.sessions.forget(person.token)
  return { goTo: `${PATHS.account}?saved` }
}

export async function signOut(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  await end(services, visit, visit.person.id)
  services.sessions.forget(visit.person.token)
  return { goTo: PATHS.start, cookies: [services.sessions.cookie.clear()] }
}

export async function endSession(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const id = visit.form.get('id') ?? ''
  if (UUID_PATTERN.test(id)) await end(services, visit, id)
  return { goTo: PATHS.account }
}

const end = ({ database }: AccountRequestServices, visit: SignedInVisit, id: string): Promise<void> =>
  database.write(async (tx) => {
    if (await endOne(tx, visit.person.user_id, id)) await record(tx, visit, ended(id))
  })

export async function endOtherSessions(
  services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { person } = visit
  await services.database.write(async (tx) =>
    record(tx, visit, ...(await endOthers(tx, person.user_id, person.id)).map(ended)),
  )
  return { goTo: PATHS.account }
}

const ended = (id: string) => ({ action: 'session.ended', resource: { type: 'session', id }, changes: null })

export async function switchOrganisation(
  services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { form, person } = visit
  const memberships = await listMemberships(services.database.read, person.user_id)
  const chosen = memberships.find(({ org_id }) => org_id === form.get('id'))
  if (chosen === undefined) return { goTo: PATHS.account }
  const session = await services.database.write((tx) => switchTo(tx, person, chosen.org_id as OrgId))
  return { goTo: PATHS.account, cookies: [renewedCookie(services, visit, session)] }
}

const record = (tx: Tx, { person, origin, now }: SignedInVisit, ...changes: readonly AuditedChange[]): Promise<void> =>
  auditPerson(tx, person.user_id, personActor({ ...person, id: person.user_id }, origin), changes, now)
