import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ArticleFrontMatter,
  parseTextFile,
  TranslationFrontMatter,
  toArticleFile,
  toTranslationFile,
} from './article-file.ts'

function read(text: string, schema: typeof ArticleFrontMatter | typeof TranslationFrontMatter = ArticleFrontMatter) {
  const problems: [string, number?][] = []
  const file = parseTextFile(text, schema, (text, line) => problems.push(line === undefined ? [text] : [text, line]))
  return { frontMatter: file?.value, content: file?.content, problems }
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

const metadata = fc.record({
  status: fc.constantFrom('draft', 'unpublished', 'published', 'archived'),
  visibility: fc.constantFrom('public', 'internal', 'chatbot_only'),
  language: fc.constantFrom('en', 'ja', 'no'),
  category: fc.option(slug),
  tags: fc.uniqueArray(title, { selector: (name) => name.normalize('NFC').toUpperCase().toLowerCase() }),
  related: fc.uniqueArray(slug),
})

test('reads back any title, content and metadata that it wrote', () => {
  fc.assert(
    fc.property(title, fc.string(), metadata, (title, content, metadata) => {
      const file = toArticleFile({ title, content }, metadata)
      expect(read(file)).toEqual({ frontMatter: { title, ...metadata }, content, problems: [] })
      const translation = toTranslationFile({ title, content })
      expect(read(translation, TranslationFrontMatter)).toEqual({ frontMatter: { title }, content, problems: [] })
    }),
    { numRuns: 300 },
  )
})

test('writes readable front matter', () => {
  const metadata = { status: 'published', visibility: 'public', language: 'en', category: 'care' } as const
  const text = { title: 'Oiling the table top', content: '# Oiling\n' }
  expect(toArticleFile(text, { ...metadata, tags: ['Care', 'Wood'], related: ['waxing', 'cleaning'] })).toBe(`---
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

test('quotes text that a YAML 1.1 reader would take for another type', () => {
  expect(toTranslationFile({ title: 'yes', content: '' })).toBe('---\ntitle: "yes"\n---\n\n')
})

test('requires only a title, which needs no quotes', () => {
  expect(read('---\ntitle: 1.0\n---\n').frontMatter).toEqual({ title: '1.0' })
  expect(read('---\ntitle: yes   # a comment\ntags: [2024, true]\n---\n').frontMatter).toEqual({
    title: 'yes',
    tags: ['2024', 'true'],
  })
})

test('reads empty values as null or an empty list', () => {
  const { frontMatter } = read('---\ntitle: x\ncategory:\ntags:\nrelated: []\n---\n')
  expect(frontMatter).toEqual({ title: 'x', category: null, tags: [], related: [] })
})

describe('reports problems with their line', () => {
  test.each<[string, string, string | RegExp, number | undefined]>([
    ['a text without front matter', '# Oiling', /must begin with front matter/, 1],
    ['front matter without a title', '---\nstatus: draft\n---\n', 'title: Required.', 2],
    ['empty front matter', '---\n---\n', /Must be keys with values/, 2],
    ['front matter that is a list', '---\n- x\n---\n', /Must be keys with values/, 2],
    ['a blank title', '---\ntitle: " "\n---\n', 'title: Must be 1 to 300 characters, not blank.', 2],
    ['a title that is a list', '---\ntitle: [x]\n---\n', 'title: Must be text.', 2],
    ['an unknown key', '---\ntitle: x\nstate: draft\n---\n', 'state: There is no such key.', 3],
    ['a duplicate key', '---\ntitle: x\ntitle: y\n---\n', /unique/, 3],
    ['an invalid value', '---\ntitle: x\n\nstatus: live\n---\n', /^status: Must be one of draft, unpublished, pub/, 4],
    ['an unknown language', '---\ntitle: x\nlanguage: xx\n---\n', /^language: Must be a language tag such as de/, 3],
    ['text instead of a list', '---\ntitle: x\ntags: Care\n---\n', 'tags: Must be a list.', 3],
    ['a duplicate tag', '---\ntitle: x\ntags: [É, é]\n---\n', 'tags: Must not have the same tag twice.', 3],
    [
      'an invalid item',
      '---\ntitle: x\nrelated:\n  - ok\n  - Not ok\n---\n',
      /^related: Must be 1 to 200 lower-case/,
      5,
    ],
    ['broken YAML', '---\ntitle: x\nstatus: a: b\n---\n', /^Invalid YAML: Nested map/, 3],
    ['an unknown YAML type', '---\ntitle: !date x\n---\n', /Unresolved tag: !date/, 2],
    ['too many aliases', `---\n${bomb()}\n---\n`, /nested too deeply/, 2],
    ['very deep nesting', `---\ntitle: ${'['.repeat(50_000)}\n---\n`, /./, 2],
    ['U+0000 in the title', '---\ntitle: "a\\0b"\n---\n', /U\+0000/, 2],
    ['U+0000 in the text', '---\ntitle: x\n---\n\0', /^Text: .*U\+0000/, undefined],
    ['an unpaired surrogate', '---\ntitle: "\\ud800"\n---\n', /surrogate/, 2],
    ['a text that is too long', `---\ntitle: x\n---\n\n${'é'.repeat(256_001)}`, /at most 500 KiB/, undefined],
  ])('%s', (_, text, problem, line) => {
    const { frontMatter, problems } = read(text)
    expect(frontMatter).toBeUndefined()
    const expected = typeof problem === 'string' ? problem : expect.stringMatching(problem)
    expect(problems).toContainEqual(line === undefined ? [expected] : [expected, line])
  })

  test('all problems of a file at once', () => {
    const { problems } = read('---\nstatus: live\ncolour: red\nlanguage: xx\n---\n')
    expect(problems.map(([, line]) => line).sort()).toEqual([2, 2, 3, 4])
  })

  test('a key other than title in a translation', () => {
    const { problems } = read('---\ntitle: x\nstatus: draft\n---\n', TranslationFrontMatter)
    expect(problems).toEqual([['status: There is no such key.', 3]])
  })

  test('but accepts a text of exactly 500 KiB', () => {
    expect(read(`---\ntitle: x\n---\n\n${'é'.repeat(256_000)}`).problems).toEqual([])
  })
})

/** Nested YAML aliases: a few lines that would expand to millions of items. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(', ')}]`)
  return ['l0: &l0 [x]', ...lines].join('\n')
}
