import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { changesOf, resourceEvents } from './index.ts'

describe('changes', () => {
  const before = {
    object: 'sign',
    name: 'Door',
    note: null as string | null,
    params: [{ key: 'a', value: '1' }],
    metadata: { nested: { list: [1, 2] } } as object,
    updated_at: '2026-01-01T00:00:00.000+00:00',
  }

  test.each<[string, object, object | undefined]>([
    ['nothing', {}, undefined],
    ['the moment alone', { updated_at: '2026-02-01T00:00:00.000+00:00' }, undefined],
    ['an equal list', { params: [{ value: '1', key: 'a' }] }, undefined],
    ['an equal object', { metadata: { nested: { list: [1, 2] } } }, undefined],
    ['a text', { name: 'Gate' }, { name: { from: 'Door', to: 'Gate' } }],
    ['case', { name: 'door' }, { name: { from: 'Door', to: 'door' } }],
    ['a text that was not there', { note: '' }, { note: { from: null, to: '' } }],
    ['a text that is no more', { name: null }, { name: { from: 'Door', to: null } }],
    [
      'order',
      { metadata: { nested: { list: [2, 1] } } },
      { metadata: { from: before.metadata, to: { nested: { list: [2, 1] } } } },
    ],
    [
      'a key more',
      { metadata: { ...before.metadata, x: null } },
      { metadata: { from: before.metadata, to: { ...before.metadata, x: null } } },
    ],
    ['a number for a text', { note: 0 }, { note: { from: null, to: 0 } }],
    ['a field that is new', { extra: 1 }, { extra: { from: undefined, to: 1 } }],
    [
      'two fields and the moment',
      { name: 'Gate', note: 'x', updated_at: 'later' },
      { name: { from: 'Door', to: 'Gate' }, note: { from: null, to: 'x' } },
    ],
  ])('%s', (_what, after, changes) => {
    expect(changesOf(before, { ...before, ...after })).toEqual(changes)
  })

  test('changing a resource and changing it back give the same changes with from and to swapped', () => {
    const resource = fc.record({ a: fc.jsonValue(), b: fc.jsonValue(), updated_at: fc.string() })
    fc.assert(
      fc.property(resource, resource, (one, other) => {
        const there = changesOf(one, other)
        const back = changesOf(other, one)
        const swapped = Object.entries(there ?? {}).map(([name, { from, to }]) => [name, { from: to, to: from }])
        expect(back).toEqual(there && Object.fromEntries(swapped))
        expect(changesOf(one, structuredClone(one))).toBeUndefined()
        expect({
          ...one,
          ...Object.fromEntries(Object.entries(there ?? {}).map(([name, { to }]) => [name, to])),
        }).toEqual({
          ...other,
          updated_at: one.updated_at,
        })
      }),
    )
  })
})

describe('the events of a resource', () => {
  const Sign = z.object({ object: z.literal('qr_sign'), id: z.string(), name: z.string() }).meta({ id: 'QrSign' })
  const events = resourceEvents('qr_sign', Sign, { label: 'QR sign' })
  const sign = { object: 'qr_sign', id: '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11', name: 'Door' } as const

  test('are created, updated and deleted', () => {
    expect(Object.entries(events).map(([type, { description }]) => [type, description.split('. ')[0]])).toEqual([
      ['qr_sign.created', 'A QR sign was created.'],
      ['qr_sign.updated', 'A QR sign was changed'],
      ['qr_sign.deleted', 'A QR sign was permanently deleted.'],
    ])
    expect(resourceEvents('object', Sign)['object.created'].description).toBe('An object was created.')
  })

  test('updated: the payload is the resource with its changes', () => {
    const { payload } = events['qr_sign.updated']
    const changes = { name: { from: 'Door', to: 'Gate' } }
    expect(payload.parse({ ...sign, changes })).toEqual({ ...sign, changes })
    expect(payload.safeParse(sign).success).toBe(false)
    expect(payload.meta()?.id).toBe('QrSignUpdated')
  })

  test('deleted: the payload has the id and the time, and no other field', () => {
    const { payload } = events['qr_sign.deleted']
    const deleted = {
      object: 'qr_sign',
      id: sign.id,
      deleted: true,
      deleted_at: '2026-01-01T00:00:00.000+00:00',
    } as const
    expect(payload.parse({ ...deleted, name: 'Door' })).toEqual(deleted)
    expect(payload.safeParse({ ...deleted, object: 'another' }).success).toBe(false)
    expect(payload.meta()?.id).toBe('QrSignDeleted')
  })
})
