import { expect, test } from 'vitest'
import { limitPayload } from './limit-payload.ts'

const LIMIT = 256 * 1024
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const change = (length: number, letter = 'x') => ({ from: '', to: letter.repeat(length) })
const OMITTED = { from: null, to: null, omitted: true }

test('keeps a payload of exactly 256 KiB unchanged and shortens one with a byte more', () => {
  const empty = { object: 'qr_code', changes: { name: change(0) } }
  const largest = { object: 'qr_code', changes: { name: change(LIMIT - bytesOf(empty)) } }
  expect(bytesOf(largest)).toBe(LIMIT)
  expect(limitPayload(largest)).toBe(largest)
  const larger = { object: 'qr_code', changes: { name: change(LIMIT - bytesOf(empty) + 1) } }
  expect(limitPayload(larger)).toEqual({ object: 'qr_code', changes: { name: OMITTED } })
})

test('omits as few changes as possible, the longest first, measured in bytes', () => {
  const changes = {
    name: change(50_000),
    list: change(90_000, 'é'),
    description: change(100_000),
    text: change(90_000),
  }
  const payload = { object: 'qr_code', changes }
  const fitted = limitPayload(payload)
  expect(fitted).toEqual({ object: 'qr_code', changes: { ...changes, list: OMITTED } })
  expect(bytesOf(fitted)).toBeLessThanOrEqual(LIMIT)
  expect(payload.changes, 'what was given is as it was').toBe(changes)
})

test('measures every field as JSON does', () => {
  const rest = { 'a"b': ['é', { c: null }], number: 1.5, isActive: true, missing: undefined, empty: {} }
  const payloadWith = (length: number) => ({ ...rest, changes: {}, content: 'x'.repeat(length) })
  const room = LIMIT - bytesOf(payloadWith(0))
  expect(limitPayload(payloadWith(room), ['content']).content).toHaveLength(room)
  expect(limitPayload(payloadWith(room + 1), ['content']).content).toBeNull()
})

test('leaves a payload without changes alone', () => {
  const payload = { object: 'qr_code', name: 'Door' }
  expect(limitPayload(payload)).toBe(payload)
})

test('if omitting changes is not enough, sets the declared fields to null, the longest first', () => {
  const payload = {
    object: 'article',
    title: 'x'.repeat(1000),
    content: 'x'.repeat(200_000),
    content_plain: 'x'.repeat(150_000),
    changes: { version: { from: 1, to: 2 }, content: change(300_000) },
  }
  expect(limitPayload(payload, ['content', 'content_plain'])).toEqual({
    ...payload,
    content: null,
    changes: { version: { from: 1, to: 2 }, content: OMITTED },
  })
  const created = { object: 'article', content: 'x'.repeat(300_000) }
  expect(limitPayload(created, ['content'])).toEqual({ object: 'article', content: null })
})
