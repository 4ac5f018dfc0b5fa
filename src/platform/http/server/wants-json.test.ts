import { expect, test } from 'vitest'
import { wantsJson } from './wants-json.ts'

test.each([
  [{ authorization: 'Bearer x', accept: 'text/html' }, true],
  [{ accept: 'application/json' }, true],
  [{ accept: 'Application/JSON; charset=utf-8, */*;q=0.1' }, true],
  [{ accept: 'application/linkset+json' }, true],
  [{ accept: 'text/html;q=0.5, application/json;q=0.9' }, true],
  [{ accept: 'text/html, application/json' }, false],
  [{ accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }, false],
  [{ accept: 'application/json;q=0' }, false],
  [{ accept: '*/*' }, false],
  [{ accept: 'json' }, false],
  [{}, false],
])('%j: %s', (headers, expected) => {
  expect(wantsJson(headers)).toBe(expected)
})
