import { expect, test } from 'vitest'
import { SCRIPT_RESPONSE } from './index.ts'

test('the script has at most 11 KiB as it is sent, and is valid', () => {
  const { body } = SCRIPT_RESPONSE
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(11 * 1024)
  expect(() => new Function(body)).not.toThrow()
})

test('texts in the script keep their spaces, and comments are not sent', () => {
  const { body } = SCRIPT_RESPONSE
  expect(body).toContain("' '")
  expect(body).not.toMatch(/^\s*(\/\/|\/?\*)/m)
})
