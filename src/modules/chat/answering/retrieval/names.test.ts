import { expect, test } from 'vitest'
import { namesIn } from './names.ts'

test.each<[string, string[][]]>([
  ['default value of max_accel?', [['max', 'accel']]],
  ['What does keepAliveTimeout do?', [['keepalivetimeout']]],
  ['What does E07 mean?', [['e07']]],
  [
    'std::string or foo_bar_baz',
    [
      ['std', 'string'],
      ['foo', 'bar', 'baz'],
    ],
  ],
  ['The Thermo 12 has 24 litres at 3.5 bar', []],
  ['How do I clean it? It is well-known', []],
])('the names in %j are %j', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

test('a long word takes no long time', () => {
  for (const piece of ['a', 'aB', 'a_', 'a1']) expect(namesIn(piece.repeat(100_000)).length).toBeLessThanOrEqual(1)
})
