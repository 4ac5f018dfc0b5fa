import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { errorTable } from '../platform/errors/index.ts'
import { useHarness } from '../testing/harness.ts'
import { allOperations, ownBody, pathTo, resourceFamilies } from '../testing/operations.ts'
import { type WildRequest, wildRequests } from '../testing/requests.ts'
import { familyErrors } from './families.ts'

const harness = useHarness()

const ERROR_CODES = Object.keys(errorTable(familyErrors))

/** Most requests end before they reach the database. Run more with `PROPERTY_REQUESTS=100000 npm test`. */
const REQUESTS = Number(process.env.PROPERTY_REQUESTS ?? { sqlite: 2000, postgres: 600 }[inject('engine')])
const BATCH_SIZE = 20

test(`returns no 5xx for ${REQUESTS} random requests built from the contract`, {
  timeout: 300_000 + REQUESTS * 20,
}, async () => {
  const acme = await harness.createTenant()
  const ids: string[] = []
  for (const { create } of resourceFamilies)
    ids.push((await acme.post(pathTo(create), await ownBody(acme, create))).body.id)

  const send = async ({ operation, path, headers, body }: WildRequest) => {
    const method = operation.declared.method
    const reply = await acme.request(method, path, {
      headers,
      ...(method !== 'GET' && body !== undefined && { body }),
    })
    expect(reply.status, `${method} ${path} ${body}`).toBeLessThan(500)
    if (reply.status >= 400) {
      expect(ERROR_CODES).toContain(reply.body.error)
      expect(reply.body.request_id).toBe(reply.headers.get('x-request-id'))
    }
    return reply.status
  }

  const seen: number[] = []
  const batch = fc.array(wildRequests(allOperations, ids), { minLength: BATCH_SIZE, maxLength: BATCH_SIZE })
  await fc.assert(
    fc.asyncProperty(batch, async (requests) => {
      seen.push(...(await Promise.all(requests.map(send))))
    }),
    { numRuns: Math.ceil(REQUESTS / BATCH_SIZE), endOnFailure: true },
  )
  expect(seen.length).toBeGreaterThanOrEqual(REQUESTS)
  // If the first checks had refused every request, this test would prove nothing. About 5 % succeed, an eighth of them creates.
  const shareOf = (...statuses: number[]) => seen.filter((status) => statuses.includes(status)).length / seen.length
  expect(shareOf(200, 201)).toBeGreaterThan(0.02)
  expect(shareOf(404)).toBeGreaterThan(0.02)
  expect(shareOf(400)).toBeGreaterThan(0.5)
})
