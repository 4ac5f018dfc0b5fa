import { expect, test } from 'vitest'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { hashVisitor } from './visitor-hash.ts'

const SALT = 'a'.repeat(64)
const ORG = newId() as OrgId
const visitor = hashVisitor(SALT, ORG, '192.0.2.1', 'Firefox')

test('the same visitor always gets the same 16 hexadecimal digits', () => {
  expect(visitor).toMatch(/^[0-9a-f]{16}$/)
  expect(hashVisitor(SALT, ORG, '192.0.2.1', 'Firefox')).toBe(visitor)
})

test.each([
  ['salt', hashVisitor('b'.repeat(64), ORG, '192.0.2.1', 'Firefox')],
  ['organisation', hashVisitor(SALT, newId() as OrgId, '192.0.2.1', 'Firefox')],
  ['address', hashVisitor(SALT, ORG, '192.0.2.2', 'Firefox')],
  ['User-Agent', hashVisitor(SALT, ORG, '192.0.2.1', 'Chrome')],
  ['User-Agent, none', hashVisitor(SALT, ORG, '192.0.2.1', null)],
  ['boundary between the parts', hashVisitor(SALT, ORG, '192.0.2.1F', 'irefox')],
])('another %s is another visitor', (_, other) => {
  expect(other).not.toBe(visitor)
})
