import { createKey } from '../../modules/account/api-keys/index.ts'
import { addMember } from '../../modules/account/members/index.ts'
import { createOrganisation, listOrganisations, type Organisation } from '../../modules/account/organisations/index.ts'
import type { RoleName } from '../../modules/account/roles/index.ts'
import { createUser, findUserByEmail } from '../../modules/account/users/index.ts'
import { type Clock, timestamp } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { randomBase62 } from '../../platform/ids/index.ts'
import { PasswordHasher } from '../../platform/passwords/index.ts'
import { operatorContext } from '../operator-context.ts'

const PASSWORD_LENGTH = 20
const PEOPLE: readonly RoleName[] = ['owner', 'manager', 'agent']

/** Nobody can own such a domain (RFC 2606), so no address in it belongs to a real person. */
export const demoDomain = (slug: string): string => `${slug}.example`

const addressOf = (role: RoleName, slug: string): string => `${role}@${demoDomain(slug)}`

export interface DemoOrganisation {
  organisation: Organisation
  people: { email: string; role: RoleName }[]
  /** The password of the owner. The others have none. */
  password: string
  apiKey: string
}

/** Creates the organisation with its people and an API key. Later steps fill it. */
export async function createDemoOrganisation(
  database: Database,
  clock: Clock,
  credits: number,
): Promise<DemoOrganisation> {
  const password = randomBase62(PASSWORD_LENGTH)
  const passwordHash = await new PasswordHasher().hash(password, 'operator')
  const slug = await findFreeSlug(database)
  const now = timestamp(clock())
  // Marked from the start, so that `waymark demo --delete` also deletes one that was never completed.
  const organisation = await database.write((tx) =>
    createOrganisation(tx, { name: 'Acme', slug }, now, { isDemo: true, credits }),
  )
  const orgId = organisation.id
  const people = PEOPLE.map((role) => ({ email: addressOf(role, slug), role }))
  const { api_key } = await operatorContext(database, orgId, clock)().write(async (tx) => {
    for (const { email, role } of people) {
      const hash = role === 'owner' ? passwordHash : null
      const person = { email, first_name: null, last_name: null, passwordHash: hash, isEmailConfirmed: true }
      const user = await createUser(tx, person, now)
      await addMember(tx, orgId, user.id, role, now)
    }
    return createKey(tx, orgId, { name: 'Demo' }, now)
  })
  return { organisation, people, password, apiKey: api_key }
}

/** `acme`, or `acme-2` and so on if there is such an organisation already, or a person with one of the addresses. */
async function findFreeSlug({ read }: Database): Promise<string> {
  const taken = new Set((await listOrganisations(read)).map(({ slug }) => slug))
  for (let n = 1; ; n++) {
    const slug = n === 1 ? 'acme' : `acme-${n}`
    if (taken.has(slug)) continue
    const owners = await Promise.all(PEOPLE.map((role) => findUserByEmail(read, addressOf(role, slug))))
    if (owners.every((owner) => owner === undefined)) return slug
  }
}
