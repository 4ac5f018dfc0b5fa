import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DiffRow, diffText } from './diff-text.ts'

const types = (rows: readonly DiffRow[]) => rows.map(({ type }) => type)
const wordsOf = (rows: readonly DiffRow[]) =>
  rows.flatMap((row) => (row.type === 'changed' ? row.words.map(({ type, text }) => [type, text]) : []))
const linesOf = (text: string) => text.split(/(?<=\n)/).filter((line) => line !== '')

/** A small set of similar lines, so that many are equal, moved or changed. */
const line = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'the red button', 'the green button', '赤いボタンを押す', '青いボタンを押す'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n')), { maxLength: 40 })
  .chain((lines) => fc.constantFrom('', 'end').map((end) => lines.flat().join('') + end))

test('without folding, the rows contain both texts completely', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after)
      const { rows } = diffText(before, after, Number.POSITIVE_INFINITY)
      const without = (type: string) =>
        rows
          .flatMap((row): { type: string; text: string }[] => {
            if (row.type === 'folded') throw new Error('unexpected fold')
            return row.type === 'changed' ? row.words : [row]
          })
          .filter((part) => part.type !== type)
          .map((part) => part.text)
          .join('')
      expect(without('added')).toBe(before)
      expect(without('removed')).toBe(after)
    }),
  )
})

test('every line occurs once with its own number, and only equal lines are folded', () => {
  fc.assert(
    fc.property(text, text, fc.nat(4), (before, after, context) => {
      const { rows, added, removed } = diffText(before, after, context)
      const [old, fresh] = [linesOf(before), linesOf(after)]
      let [oldLine, newLine] = [0, 0]
      for (const row of rows) {
        const count = row.type === 'folded' ? row.count : 1
        if (row.before_line !== null) expect(row.before_line).toBe(oldLine + 1)
        if (row.after_line !== null) expect(row.after_line).toBe(newLine + 1)
        if (row.type === 'folded') {
          expect(count).toBeGreaterThan(1)
          expect(old.slice(oldLine, oldLine + count)).toEqual(fresh.slice(newLine, newLine + count))
        }
        if (row.type === 'equal' || row.type === 'removed') expect(row.text).toBe(old[oldLine])
        if (row.type === 'equal' || row.type === 'added') expect(row.text).toBe(fresh[newLine])
        if (row.before_line !== null) oldLine += count
        if (row.after_line !== null) newLine += count
      }
      expect([oldLine, newLine]).toEqual([old.length, fresh.length])
      expect(removed).toBe(rows.filter(({ type }) => type === 'removed' || type === 'changed').length)
      expect(added).toBe(rows.filter(({ type }) => type === 'added' || type === 'changed').length)
    }),
  )
})

test('a changed line lists its changed words, between unchanged context lines', () => {
  expect(diffText('a\nPress the red button.\nz\n', 'a\nPress the green button.\nz\n')).toEqual({
    added: 1,
    removed: 1,
    rows: [
      { type: 'equal', before_line: 1, after_line: 1, text: 'a\n' },
      {
        type: 'changed',
        before_line: 2,
        after_line: 2,
        words: [
          { type: 'equal', text: 'Press the ' },
          { type: 'removed', text: 'red' },
          { type: 'added', text: 'green' },
          { type: 'equal', text: ' button.\n' },
        ],
      },
      { type: 'equal', before_line: 3, after_line: 3, text: 'z\n' },
    ],
  })
})

test.each([
  ['赤いボタンを押します。', '緑のボタンを押します。', ['赤い', '緑の'], 'ボタンを押します。'],
  ['请清洁红色的钻头。', '请更换红色的钻头。', ['清洁', '更换'], '红色的钻头。'],
])('finds words in scripts without spaces: %s', (before, after, changed, kept) => {
  const words = wordsOf(diffText(before, after).rows)
  expect(words.filter(([type]) => type === 'removed').map(([, text]) => text)).toEqual([changed[0]])
  expect(words.filter(([type]) => type === 'added').map(([, text]) => text)).toEqual([changed[1]])
  expect(words.at(-1)).toEqual(['equal', kept])
})

test.each([
  [
    'a',
    'a\n',
    [
      ['equal', 'a'],
      ['added', '\n'],
    ],
  ],
  [
    'a\n',
    'a\r\n',
    [
      ['equal', 'a'],
      ['removed', '\n'],
      ['added', '\r\n'],
    ],
  ],
  [
    'a b\n',
    'a  b\n',
    [
      ['equal', 'a'],
      ['removed', ' '],
      ['added', '  '],
      ['equal', 'b\n'],
    ],
  ],
  [
    '\n',
    ' \n',
    [
      ['added', ' '],
      ['equal', '\n'],
    ],
  ],
])('keeps white space: %j to %j', (before, after, words) => {
  expect(wordsOf(diffText(before, after).rows)).toEqual(words)
})

test('a replaced line is removed and added, and a similar line further on is matched as changed', () => {
  expect(types(diffText('Clean the drill.\n', 'Batteries are not included here\n').rows)).toEqual(['removed', 'added'])
  expect(types(diffText('x\nClean the drill.\n', 'New.\nAlso new!\nClean the red drill.\n').rows)).toEqual([
    'removed',
    'added',
    'added',
    'changed',
  ])
})

test('folds equal lines more than three lines away from any change', () => {
  const before = Array.from({ length: 30 }, (_, n) => `${n + 1}\n`)
  const { rows } = diffText(before.join(''), before.with(9, 'ten\n').with(17, 'eighteen\n').join(''))
  expect(
    rows.map((row) => (row.type === 'folded' ? `+${row.count}` : (row.before_line ?? `(${row.after_line})`))),
  ).toEqual(['+6', 7, 8, 9, 10, '(10)', 11, 12, 13, 14, 15, 16, 17, 18, '(18)', 19, 20, 21, '+9'])
})

test('equal texts are one fold, and empty texts have no rows', () => {
  expect(diffText('a\nb\n', 'a\nb\n').rows).toEqual([{ type: 'folded', before_line: 1, after_line: 1, count: 2 }])
  expect(diffText('', '')).toEqual({ added: 0, removed: 0, rows: [] })
  expect(types(diffText('', 'a\nb').rows)).toEqual(['added', 'added'])
  expect(types(diffText('a\nb', '').rows)).toEqual(['removed', 'removed'])
})

test('a word replaced throughout a long text is shown line by line', () => {
  const before = Array.from({ length: 5000 }, (_, n) => `Line ${n} is about the ${n % 2 === 0 ? 'drill' : 'saw'}.\n`)
  const { rows, added, removed } = diffText(before.join(''), before.join('').replaceAll('drill', 'driver'))
  expect([added, removed]).toEqual([2500, 2500])
  expect(types(rows).filter((type) => type === 'changed')).toHaveLength(2500)
})

test('texts with too many edits are removed and added between their equal beginnings and ends', () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `line ${n}\n`)
  const { rows, added, removed } = diffText(
    ['head\n', ...lines, 'tail'].join(''),
    ['head\n', ...lines.toReversed(), 'tail'].join(''),
  )
  expect([added, removed]).toEqual([5000, 5000])
  expect(new Set(types(rows.slice(1, 5001)))).toEqual(new Set(['removed']))
  expect(new Set(types(rows.slice(5001, -1)))).toEqual(new Set(['added']))
  expect(types([rows[0]!, rows.at(-1)!])).toEqual(['equal', 'equal'])
})

test('a line with too many edits still shows its equal beginning and end', () => {
  const words = Array.from({ length: 3000 }, (_, n) => `w${n}`)
  const [before, after] = [`first ${words.join(' ')} last`, `first ${words.toReversed().join(' ')} last`]
  expect(wordsOf(diffText(before, after).rows).map(([type]) => type)).toEqual(['equal', 'removed', 'added', 'equal'])
})
