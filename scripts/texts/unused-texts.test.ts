import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, expect, test } from 'vitest'
import { findUnusedTexts } from './unused-texts.ts'

const folder = mkdtempSync(join(tmpdir(), 'waymark-unused-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ENGLISH = {
  title: 'Sent',
  roles: { owner: 'Owner', agent: 'Agent' },
  notice: { title: 'Gone', text: 'It is gone.', retry: 'Try again' },
  count: { one: '{n} file', other: '{n} files' },
}
const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ESNext,
  resolveJsonModule: true,
  strict: true,
  noEmit: true,
  types: [],
  // What these sources need, because all of it takes a second each time.
  lib: ['lib.es5.d.ts', 'lib.es2017.object.d.ts'],
}

/** The keys that are not used by a source, which has the texts of one language as `texts`. */
function unusedIn(code: string, browserScript = ''): string[] {
  const [english, source] = [join(folder, 'english.json'), join(folder, 'source.mts')]
  writeFileSync(english, JSON.stringify(ENGLISH))
  const start = `import english from './english.json' with { type: 'json' }
    type TextsOf<T> = T extends string ? string : { readonly [Key in keyof T]: TextsOf<T[Key]> }
    type Texts = TextsOf<typeof english>
    declare const texts: Texts\n`
  writeFileSync(source, start + code)
  return findUnusedTexts([english], [source], [browserScript], OPTIONS).get(english) ?? []
}
const ALL = ['title', 'roles', 'notice', 'count']

test.each([
  ['nothing', '', ALL],
  ['a mention of the type', 'export type Kind = keyof Texts["notice"]', ALL],
  ['a property', 'export const shown = texts.title', ['roles', 'notice', 'count']],
  ['a property of another object', 'export const shown = { title: "a" }.title', ALL],
  [
    'a destructured property',
    'const { title, notice: { retry } } = texts\nexport { title, retry }',
    ['roles', 'notice.title', 'notice.text', 'count'],
  ],
  ['a parameter of its type', 'export const f = ({ title }: Texts) => title', ['roles', 'notice', 'count']],
  ['some names', 'export const f = (name: "owner") => texts.roles[name]', ['title', 'roles.agent', 'notice', 'count']],
  ['any name', 'export const f = (name: keyof Texts["roles"]) => texts.roles[name]', ['title', 'notice', 'count']],
  ['plural forms', 'export const f = texts.count.other', ['title', 'roles', 'notice']],
  ['a part of it as a whole', 'export const all = Object.values(texts.roles)', ['title', 'notice', 'count']],
])('%s', (_name, code, unused) => {
  expect(unusedIn(code)).toEqual(unused)
})

test('an object that is passed to a type of other code uses what this type names', () => {
  const show = 'declare function show(notice: { title: string; text: string }): void\n'
  const unused = ['title', 'roles', 'notice.retry', 'count']
  expect(unusedIn(`${show}show(texts.notice)`)).toEqual(unused)
  expect(unusedIn(`export const f = (): { title: string; text?: string } => texts.notice`)).toEqual(unused)
  expect(unusedIn(`export const notice: { title: string; text: string } = texts.notice`)).toEqual(unused)
  expect(unusedIn(`declare function pass(texts: Texts["notice"]): void\npass(texts.notice)`)).toEqual([
    ...['title', 'roles', 'notice.title', 'notice.text', 'notice.retry', 'count'],
  ])
})

test('an object that is given to a browser script uses what the script names', () => {
  const code = 'const { notice } = texts\nexport const data = JSON.stringify({ url: "/", texts: { ...notice } })'
  expect(unusedIn(code, 'element.textContent = texts.retry')).toEqual([
    ...['title', 'roles', 'notice.title', 'notice.text', 'count'],
  ])
})
