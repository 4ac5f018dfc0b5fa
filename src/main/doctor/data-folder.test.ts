import { expect, test } from 'vitest'
import { judge } from './data-folder.ts'

test('a disk that is nearly full is a warning first, and then a failure', () => {
  expect(judge('/data', 2_000_000_000)).toEqual({
    name: 'Data folder',
    ok: true,
    detail: '/data is writable, 2.0 GB free',
  })
  expect(judge('/data', 1_900_000_000)).toMatchObject({ ok: true, remedy: expect.stringContaining('Free some space') })
  expect(judge('/data', 499_000_000)).toMatchObject({ ok: false, remedy: expect.stringContaining('Free some space') })
})
