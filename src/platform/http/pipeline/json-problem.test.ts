import { expect, test } from 'vitest'
import { describeJsonProblem } from './json-problem.ts'

test.each([
  ['{\n  "id": 5,\n  "price": 1 "name": 2\n}', 'line 3, column 14: expected "," or "}" but found "name"'],
  ['{"a": 1,}', 'line 1, column 9: expected a name in double quotes but found "}" (remove the comma before it)'],
  ['[1, 2,\n]', 'line 2, column 1: expected a value but found "]" (remove the comma before it)'],
  ["{'a': 1}", `line 1, column 2: expected a name in double quotes or "}" but found "'"`],
  ['{"a": \'x\'}', `line 1, column 7: expected a value but found "'" (use double quotes)`],
  ['{"a" 1}', 'line 1, column 6: expected ":" but found "1"'],
  ['{"a": True}', 'line 1, column 7: expected a value but found "True"'],
  ['{"a": 01.50}', 'line 1, column 7: expected a value but found "01.50"'],
  ['{"a": }', 'line 1, column 7: expected a value but found "}"'],
  ['{"a": [1', 'line 1, column 9: expected "," or "]" but found the end of the body'],
  ['{"🪑": "x', 'line 1, column 9: expected a closing double quote but found the end of the body'],
  [
    '{"a": "x\ny"}',
    'line 1, column 9: expected a closing double quote but found a line break (write control characters as escapes, such as \\n)',
  ],
  ['{"a": "\\x"}', 'line 1, column 9: expected a letter of an escape, such as \\n or \\u00e4, but found "x"'],
  ['{} {}', 'line 1, column 4: expected the end of the body but found "{"'],
  ['null\u0000', 'line 1, column 5: expected the end of the body but found "\\u0000"'],
  ['   ', 'line 1, column 4: expected a value but found the end of the body'],
])('%j: %s', (text, problem) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(describeJsonProblem(text)).toBe(problem)
})

test('is found at any depth and length, and repeats at most 20 characters', () => {
  expect(describeJsonProblem(`${'[\n'.repeat(500_000)}}`)).toMatch(
    /^line 500001, column 1: expected a value or "\]" but found "}"$/,
  )
  const secret = 'wm_live_'.padEnd(1_000_000, 'x')
  for (const text of [`[${secret}]`, `{"a" "${secret}"}`, `{"a": "${secret}`, `[1 "${'🪑'.repeat(1000)}"]`]) {
    expect(describeJsonProblem(text).length).toBeLessThan(120)
  }
})

test('is found wherever a valid text is changed into an invalid one', () => {
  const valid = '{"a": [1, -2.5e+3, true, {"b\\u00e4\\n": null}], "": {}, "c": [[], "x"]}'
  for (let at = 0; at <= valid.length; at++) {
    for (const inserted of ['', '"', '}', ',', '0', '\\', '\n', '.']) {
      const text = valid.slice(0, at) + inserted + valid.slice(inserted === '' ? at + 1 : at)
      try {
        JSON.parse(text)
      } catch {
        const [, column] = /^line \d+, column (\d+): expected/.exec(describeJsonProblem(text)) ?? []
        expect(Number(column), text).toBeLessThanOrEqual(text.length + 1)
      }
    }
  }
})
