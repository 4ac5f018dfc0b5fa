import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ArticleHead, parseTextFile, TranslationHead, toArticleFile, toTranslationFile } from './article-file.ts'

function read(text: string, head: typeof ArticleHead | typeof TranslationHead = ArticleHead) {
  const complaints: [string, number?][] = []
  const file = parseTextFile(text, head, (text, line) => complaints.push(line === undefined ? [text] : [text, line]))
  return { head: file?.value, content: file?.content, complaints }
}

const AWKWARD = ['yes', 'No', '1.0', '0x1f', 'null', '~', 'true', ': x', 'a: b', '# x', 'a # b', '- x', '---', '...']
const MORE = ['"q"', "it's", '[x]', '{x}', 'a, b', '&a', '*a', '!a', '%a', '@a', '|', '>', '<<', '2024-01-01', 'a\nb']
const OTHER = [
  'a\r\nb',
  'a\tb',
  '\u200Fשלום',
  'عربي',
  '🪵 wood',
  'x\u2028---\u2028y',
  'a\u0085b',
  'a\uFEFFb',
  'a\u0007b',
]
const title = fc
  .oneof(fc.constantFrom(...AWKWARD, ...MORE, ...OTHER), fc.string({ unit: 'binary', maxLength: 100 }))
  .map((text) => text.replaceAll('\0', '').trim())
  .filter((text) => text !== '')

const slug = fc.oneof(fc.constantFrom('null', '-', '---', '0', '1e3', 'true'), fc.stringMatching(/^[a-z0-9-]{1,20}$/))

const facts = fc.record({
  status: fc.constantFrom('draft', 'unpublished', 'published', 'archived'),
  visibility: fc.constantFrom('public', 'internal', 'chatbot_only'),
  language: fc.constantFrom('en', 'ja', 'no'),
  category: fc.option(slug),
  tags: fc.uniqueArray(title, { selector: (name) => name.normalize('NFC').toUpperCase().toLowerCase() }),
  related: fc.uniqueArray(slug),
})

test('what was written is read as it was, however awkward', () => {
  fc.assert(
    fc.property(title, fc.string(), facts, (title, content, facts) => {
      const file = toArticleFile({ title, content }, facts)
      expect(read(file)).toEqual({ head: { title, ...facts }, content, complaints: [] })
      const translation = toTranslationFile({ title, content })
      expect(read(translation, TranslationHead)).toEqual({ head: { title }, content, complaints: [] })
    }),
    { numRuns: 300 },
  )
})

test('it is written for people to read', () => {
  const facts = { status: 'published', visibility: 'public', language: 'en', category: 'care' } as const
  const text = { title: 'Oiling the table top', content: '# Oiling\n' }
  expect(toArticleFile(text, { ...facts, tags: ['Care', 'Wood'], related: ['waxing', 'cleaning'] })).toBe(`---
title: Oiling the table top
status: published
visibility: public
language: en
category: care
tags: [Care, Wood]
related: [waxing, cleaning]
---

# Oiling
`)
})

test('what an older reader of YAML would not take for text is in quotes', () => {
  expect(toTranslationFile({ title: 'yes', content: '' })).toBe('---\ntitle: "yes"\n---\n\n')
})

test('only a title is needed, and it needs no quotes', () => {
  expect(read('---\ntitle: 1.0\n---\n').head).toEqual({ title: '1.0' })
  expect(read('---\ntitle: yes   # a comment\ntags: [2024, true]\n---\n').head).toEqual({
    title: 'yes',
    tags: ['2024', 'true'],
  })
})

test('what is left empty is none', () => {
  const { head } = read('---\ntitle: x\ncategory:\ntags:\nrelated: []\n---\n')
  expect(head).toEqual({ title: 'x', category: null, tags: [], related: [] })
})

describe('complaints say in which line it is', () => {
  test.each<[string, string, string | RegExp, number | undefined]>([
    ['a text without front matter', '# Oiling', /must begin with front matter/, 1],
    ['front matter without a title', '---\nstatus: draft\n---\n', 'title: Required.', 2],
    ['front matter that is empty', '---\n---\n', /Must be names with their values/, 2],
    ['front matter that is a list', '---\n- x\n---\n', /Must be names with their values/, 2],
    ['a blank title', '---\ntitle: " "\n---\n', 'title: Must be 1 to 300 characters, not blank.', 2],
    ['a title that is a list', '---\ntitle: [x]\n---\n', 'title: Must be text.', 2],
    ['an unknown key', '---\ntitle: x\nstate: draft\n---\n', 'state: There is no such key.', 3],
    ['a key twice', '---\ntitle: x\ntitle: y\n---\n', /unique/, 3],
    ['a wrong value', '---\ntitle: x\n\nstatus: live\n---\n', /^status: Must be one of draft, unpublished, pub/, 4],
    ['an unknown language', '---\ntitle: x\nlanguage: nb\n---\n', /^language: Must be one of en, ja/, 3],
    ['a list that is none', '---\ntitle: x\ntags: Care\n---\n', 'tags: Must be a list.', 3],
    ['a tag twice', '---\ntitle: x\ntags: [É, é]\n---\n', 'tags: Must not have the same tag twice.', 3],
    ['a bad item', '---\ntitle: x\nrelated:\n  - ok\n  - Not ok\n---\n', /^related: Must be 1 to 200 lower-case/, 5],
    ['broken YAML', '---\ntitle: x\nstatus: a: b\n---\n', /^It is not YAML as it should be: Nested map/, 3],
    ['a type of its own', '---\ntitle: !date x\n---\n', /Unresolved tag: !date/, 2],
    ['too many names for the same', `---\n${bomb()}\n---\n`, /nested too deeply/, 2],
    ['nesting without end', `---\ntitle: ${'['.repeat(50_000)}\n---\n`, /./, 2],
    ['a title that no database holds', '---\ntitle: "a\\0b"\n---\n', /U\+0000/, 2],
    ['a text that no database holds', '---\ntitle: x\n---\n\0', /^The text: .*U\+0000/, undefined],
    ['half a letter', '---\ntitle: "\\ud800"\n---\n', /surrogate/, 2],
    ['a text that is too long', `---\ntitle: x\n---\n\n${'é'.repeat(256_001)}`, /at most 500 KiB/, undefined],
  ])('%s', (_, text, complaint, line) => {
    const { head, complaints } = read(text)
    expect(head).toBeUndefined()
    const expected = typeof complaint === 'string' ? complaint : expect.stringMatching(complaint)
    expect(complaints).toContainEqual(line === undefined ? [expected] : [expected, line])
  })

  test('all of a file at once', () => {
    const { complaints } = read('---\nstatus: live\ncolour: red\nlanguage: xx\n---\n')
    expect(complaints.map(([, line]) => line).sort()).toEqual([2, 2, 3, 4])
  })

  test('of a translation too, which has a title and nothing else', () => {
    const { complaints } = read('---\ntitle: x\nstatus: draft\n---\n', TranslationHead)
    expect(complaints).toEqual([['status: There is no such key.', 3]])
  })

  test('a text of just 500 KiB is none', () => {
    expect(read(`---\ntitle: x\n---\n\n${'é'.repeat(256_000)}`).complaints).toEqual([])
  })
})

/** Names that stand for lists of names: a few lines that would become millions of items. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(', ')}]`)
  return ['l0: &l0 [x]', ...lines].join('\n')
}
