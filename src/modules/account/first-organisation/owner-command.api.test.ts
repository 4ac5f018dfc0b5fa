import { expect, test } from 'vitest'
import { systemClock, timestamp } from '../../../platform/clock/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { createDatabase } from '../../../testing/engines/database.ts'
import { addMember } from '../members/index.ts'
import { createOrganisation } from '../organisations/index.ts'
import { createUser, deactivateUser } from '../users/index.ts'
import { findOwnerCommand } from './index.ts'

test('the command for an owner is named until there is one who can sign in', async () => {
  const stored = await createDatabase()
  const database = await openDatabase(stored.location)
  const now = timestamp(systemClock())
  const { id: orgId } = await database.write((tx) => createOrganisation(tx, { name: 'Acme', slug: 'acme' }, now))
  const missing = 'npx waymark user create --org acme --email you@example.com --role owner'
  expect(await findOwnerCommand(database.read)).toBe(missing)

  const { id } = await database.write(async (tx) => {
    const person = { email: 'kim@acme.com', first_name: null, last_name: null, passwordHash: null }
    const owner = await createUser(tx, person, now)
    await addMember(tx, orgId, owner.id, 'owner', now)
    return owner
  })
  expect(await findOwnerCommand(database.read)).toBeUndefined()
  await database.write((tx) => deactivateUser(tx, id, now, now))
  expect(await findOwnerCommand(database.read)).toBe(missing)
  await database.write((tx) => deactivateUser(tx, id, null, now))
  expect(await findOwnerCommand(database.read)).toBeUndefined()
  await database.close()
  await stored.drop()
})
