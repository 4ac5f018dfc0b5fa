/** Tests that every operation waits for the scans and views that its response depends on. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { holdsRecorded, recorded } from '../platform/contract/recorded.ts'
import { allOperations } from '../testing/operations.ts'

/** What a response says about scans, views or what was scheduled, as a reader of its JSON schema sees it. */
const RECORDED =
  /"(total_scans|last_scanned_at|view_count|scanned_at|webhook_delivery|has_rules)"|"const":"(event|rules|version)"/

test('every response with counters, scans, events, deliveries or versions waits for what was recorded, and no other one', () => {
  const toName = ({ id }: { id: string }) => id
  const responses = allOperations.map(({ id, showsRecorded, declared }) => {
    const { ok, offset, cursor } = declared
    const schemas = [ok, offset, cursor].filter((schema) => schema !== undefined)
    return {
      id,
      showsRecorded,
      text: JSON.stringify(schemas.map((schema) => z.toJSONSchema(schema, { io: 'output' }))),
    }
  })
  const waiting = responses.filter(({ showsRecorded }) => showsRecorded).map(toName)
  expect(waiting).toEqual(responses.filter(({ text }) => RECORDED.test(text)).map(toName))
  expect(waiting).toEqual(
    expect.arrayContaining(['qr-codes.get', 'objects.update', 'scans.list', 'pages.list', 'events.list']),
  )
  expect(waiting).not.toContain('me.get')
})

describe('a mark', () => {
  const count = recorded(z.int())

  test.each<[place: string, schema: z.ZodType]>([
    ['in an object', z.object({ count })],
    ['in an optional object of an array', z.object({ items: z.array(z.object({ count }).optional()) })],
    ['that may be null', z.object({ count: count.nullable() })],
    ['in one of several', z.union([z.string(), z.object({ count })])],
    ['in an object with more fields', z.object({ count }).extend({ name: z.string() })],
  ])('%s is found', (_, schema) => {
    expect(holdsRecorded(schema)).toBe(true)
  })

  test('is found in a schema that contains itself', () => {
    const Tree = z.object({
      get leaves() {
        return z.array(Tree)
      },
    })
    expect(holdsRecorded(Tree)).toBe(false)
    expect(holdsRecorded(z.object({ tree: Tree, count }))).toBe(true)
  })

  test('is not found where there is none', () => {
    expect(holdsRecorded(z.object({ count: z.int(), names: z.array(z.string().nullable()) }))).toBe(false)
  })
})
