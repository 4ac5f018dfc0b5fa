/** Tests the guarantee that an organisation never loses its last owner, over random sequences of three people at once. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useHarness } from '../../../testing/harness.ts'
import { getRole, type RoleName } from '../roles/index.ts'

const harness = useHarness()

const PEOPLE = [0, 1, 2] as const
const who = fc.constantFrom(...PEOPLE)
const role = fc.constantFrom<RoleName>('admin', 'manager', 'agent', 'member')
const step = fc.oneof(
  fc.record({ kind: fc.constant('change' as const), by: who, of: who, role }),
  fc.record({ kind: fc.constant('remove' as const), by: who, of: who }),
  fc.record({ kind: fc.constant('invite' as const), by: who, role }),
)

test('after any concurrent changes by three people, an owner remains and removed members are refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), async (rounds) => {
      const acme = await harness.createTenant()
      const people = [
        await harness.createPerson(acme, 'owner'),
        await harness.createPerson(acme, 'owner'),
        await harness.createPerson(acme, 'admin'),
      ] as const
      let invited = 0
      for (const steps of rounds) {
        await Promise.all(
          steps.map((action) => {
            const caller = people[action.by]
            if (action.kind === 'invite') {
              const body = { email: `new-${++invited}@acme.com`, role_id: getRole(action.role).id }
              return caller.post('/v1/team/invitations', body)
            }
            const path = `/v1/team/members/${people[action.of].memberId}`
            return action.kind === 'remove'
              ? caller.delete(path)
              : caller.patch(path, { role_id: getRole(action.role).id })
          }),
        )
      }
      const { data } = (await acme.get('/v1/team/members')).body
      expect(data.filter((member: any) => member.role === 'owner').length).toBeGreaterThanOrEqual(1)
      harness.advance(1000)
      for (const person of people) {
        const isMember = data.some(({ id }: any) => id === person.memberId)
        expect((await person.get('/v1/me')).status).toBe(isMember ? 200 : 403)
      }
    }),
    { numRuns: 25 },
  )
})
