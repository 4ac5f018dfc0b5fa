import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { DestinationChangeCreate, kindsOf } from './contract.ts'

const to = { url: 'https://acme.com/new' }
const from = { url: 'https://acme.com/old' }

describe('what a change is about', () => {
  test.each<[string, object]>([
    ['a destination', { from }],
    ['a filter', { filter: { kinds: ['qr_code'] } }],
    ['both', { from, filter: { group_id: newId() } }],
    ['a destination and a filter without fields', { from, filter: {} }],
    ['what has no destination', { filter: { status: 'unconfigured' } }],
  ])('can be %s', (_what, sent) => {
    expect(DestinationChangeCreate.parse({ ...sent, to })).toMatchObject({ dry_run: false })
    expect(DestinationChangeCreate.parse({ ...sent, to: null })).toMatchObject({ to: null })
  })

  test.each<[string, object, string]>([
    ['is missing', {}, 'Must have from, or a filter that is not empty'],
    ['is everything', { filter: {} }, 'Must have from, or a filter that is not empty'],
    [
      'is no destination',
      { from: null },
      'Must name a destination. To find what has none, use filter.status=unconfigured',
    ],
    [
      'is an empty destination',
      { from: {} },
      'Must name a destination. To find what has none, use filter.status=unconfigured',
    ],
    [
      'can be of no kind',
      { filter: { status: 'active', type: 'chair' } },
      'Must not have type and status together: nothing matches all of them',
    ],
    [
      'cannot exist',
      { filter: { group_id: newId(), type: 'chair' } },
      'Must not have group_id and type together: nothing matches all of them',
    ],
    [
      'excludes itself',
      { filter: { kinds: ['qr_code', 'object'], status: 'active' } },
      'Must not have object together with status',
    ],
    ['names no kind', { filter: { kinds: [] } }, 'Must have at least one kind'],
    ['names no id', { filter: { ids: [] } }, 'Must have at least one id'],
    ['names too many ids', { filter: { ids: Array.from({ length: 1001 }, newId) } }, 'Must have at most 1000 ids'],
    [
      'begins like no address',
      { filter: { url_starts_with: 'acme.com' } },
      'Must be an http or https URL of at most 2048 characters',
    ],
  ])('is refused if it %s', (_what, sent, message) => {
    const { error } = DestinationChangeCreate.safeParse({ ...sent, to })
    expect(error?.issues.map((issue) => issue.message)).toContain(message)
  })

  test('needs a new destination, and has no other fields', () => {
    expect(DestinationChangeCreate.safeParse({ from }).success).toBe(false)
    expect(DestinationChangeCreate.safeParse({ from, to, status: 'active' }).success).toBe(false)
    expect(DestinationChangeCreate.safeParse({ from, to, filter: { name: 'Door' } }).success).toBe(false)
  })
})

test('a filter is about the kinds that can match it', () => {
  expect(kindsOf({})).toEqual(['qr_code', 'qr_group', 'object', 'product'])
  expect(kindsOf({ status: 'active' })).toEqual(['qr_code', 'qr_group', 'product'])
  expect(kindsOf({ type: 'chair' })).toEqual(['object'])
  expect(kindsOf({ group_id: newId(), status: 'active' })).toEqual(['qr_code'])
  expect(kindsOf({ kinds: ['product', 'qr_group'] })).toEqual(['qr_group', 'product'])
})
