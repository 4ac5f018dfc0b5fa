/**
 * Tests the guarantees that an organisation never loses its last owner, and that no one who left it is answered after one
 * second, over random sequences of three people at once. On PostgreSQL, their requests go to two instances.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../main/service.ts'
import { MINUTE_MS, SECOND_MS } from '../../../platform/clock/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { Client } from '../../../testing/client.ts'
import { createAccessToken } from '../../../testing/data/access-token.ts'
import { testConfig, useHarness } from '../../../testing/harness.ts'
import { Visitor } from '../../../testing/visitor.ts'
import { getRole, type RoleName } from '../roles/index.ts'
import type { Member } from './contract.ts'

const harness = useHarness()

/** Enough for all steps to meet each other, and few enough for a busy machine. */
const RUNS = 10
const SLOT_COUNT = 3

let second: Service | undefined
beforeAll(async () => {
  if (harness.engine === 'sqlite') return
  second = await startService(testConfig(harness), 'api', createLogger('silent'), { clock: harness.nowMs })
})
afterAll(() => second?.close())

/** Requests alternate between the instances. */
let requests = 0
const nextUrl = (): string => {
  if (second === undefined || requests++ % 2 === 0) return harness.baseUrl
  return `http://127.0.0.1:${second.port}`
}

/** A person in one of three places. Once they have left, they can be invited again. */
interface Slot {
  userId: string
  memberId: string
  email: string
  token: string
}

const clientOf = ({ token }: Slot): Client =>
  new Client(nextUrl(), undefined, { cookie: `waymark_session=${token}`, 'sec-fetch-site': 'same-origin' })

const who = fc.nat({ max: SLOT_COUNT - 1 })
const role = fc.constantFrom<RoleName>('admin', 'manager', 'agent', 'member')
const step = fc.oneof(
  fc.record({ kind: fc.constant('change' as const), by: who, of: who, role }),
  fc.record({ kind: fc.constant('remove' as const), by: who, of: who }),
  fc.record({ kind: fc.constant('leave' as const), by: who }),
  fc.record({ kind: fc.constant('invite' as const), by: who, of: who, role }),
  fc.record({ kind: fc.constant('accept' as const), by: who }),
  fc.record({ kind: fc.constant('revoke' as const), by: who }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

test('after any concurrent changes by three people, an owner remains and those who left are refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
      // People who have left are refused so often that their address would be, too.
      harness.advance(MINUTE_MS)
      const acme = await harness.createTenant()
      const people: Slot[] = [
        await harness.createPerson(acme, 'owner'),
        await harness.createPerson(acme, 'owner'),
        await harness.createPerson(acme, 'admin'),
      ]
      const tokens = await Promise.all(
        people.map(({ userId }) =>
          createAccessToken(harness.service.database, { orgId: acme.orgId, userId }, ['qr.view'], harness.nowMs()),
        ),
      )
      const members = async (): Promise<Member[]> => (await acme.get('/v1/team/members')).body.data
      /** The latest invitation of each person. */
      const invitations = new Map<number, string>()

      const take = async (action: Step): Promise<unknown> => {
        const caller = people[action.by] as Slot
        const client = clientOf(caller)
        switch (action.kind) {
          case 'change':
            return client.patch(`/v1/team/members/${people[action.of]?.memberId}`, { role_id: getRole(action.role).id })
          case 'remove':
            return client.delete(`/v1/team/members/${people[action.of]?.memberId}`)
          case 'leave':
            return client.delete(`/v1/team/members/${caller.memberId}`)
          case 'invite': {
            const body = { email: people[action.of]?.email, role_id: getRole(action.role).id }
            const reply = await client.post('/v1/team/invitations', body)
            if (reply.status === 201) invitations.set(action.of, reply.body.token)
            return reply
          }
          case 'accept': {
            const token = invitations.get(action.by)
            if (token === undefined) return undefined
            const browser = new Visitor(nextUrl())
            browser.cookies.set('waymark_session', caller.token)
            const reply = await browser.fillIn(`/account/invitation?token=${token}`, { token })
            // Joining renews the session. Another browser that tried the same has not joined.
            const renewed = browser.cookies.get('waymark_session') ?? caller.token
            if (reply.status === 303 && renewed !== caller.token) caller.token = renewed
            return reply
          }
          case 'revoke': {
            const { data = [] } = (await client.get('/v1/team/invitations')).body
            return data[0] && client.delete(`/v1/team/invitations/${data[0].id}`)
          }
        }
      }

      for (const steps of rounds) {
        await Promise.all(steps.map(take))
        const now = await members()
        expect(now.filter((member) => member.role === 'owner').length).toBeGreaterThanOrEqual(1)
        // Those who came back have another membership.
        for (const person of people) {
          const member = now.find(({ user_id }) => user_id === person.userId)
          if (member !== undefined) person.memberId = member.id
        }
        harness.advance(SECOND_MS)
        for (const [n, person] of people.entries()) {
          const isMember = now.some(({ user_id }) => user_id === person.userId)
          const { status } = await clientOf(person).get('/v1/me')
          expect(status, `${person.email} is ${isMember ? 'a' : 'no'} member`).toBe(isMember ? 200 : 403)
          const application = await new Client(nextUrl(), tokens[n]?.token).get('/v1/me')
          if (!isMember) expect(application.status, 'an application of somebody who left').toBe(401)
        }
      }
    }),
    { numRuns: RUNS },
  )
})
