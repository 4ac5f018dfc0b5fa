import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkLocales } from './check-locales.ts'

const folder = mkdtempSync(join(tmpdir(), 'waymark-locales-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function check(files: Record<string, object>) {
  for (const [path, content] of Object.entries({ 'notes.json': {}, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(content))
  }
  return Object.fromEntries([...checkLocales(folder, ['en', 'de'])].filter(([, problems]) => problems.length > 0))
}

test('compares every file of every language with English', () => {
  const files = { 'en/form.json': { send: 'Send' }, 'de/form.json': {}, 'en/chat.json': { you: 'You' } }
  expect(check(files)).toEqual({ 'de/form.json': ['send is missing'], 'de/chat.json': ['is missing'] })
})

test('finds files and languages that are not known', () => {
  const texts = { send: 'Senden' }
  expect(check({ 'en/form.json': texts, 'de/form.json': texts, 'de/old.json': texts, 'eo/form.json': texts })).toEqual({
    'de/old.json': ['is not in English'],
    eo: ['is not in LANGUAGES'],
  })
})

test('word lists must exist, and are not compared', () => {
  expect(check({ 'en/question-words.json': { fillers: ['a b'] } })).toEqual({
    'de/question-words.json': ['is missing'],
  })
  expect(check({ 'de/question-words.json': {} })).toEqual({})
})

test('a note is about a text or a group that exists', () => {
  const texts = { form: { send: 'Send' } }
  const notes = { form: { form: 'A', 'form.send': 'B', 'form.sent': 'C' }, old: { you: 'D' } }
  expect(check({ 'notes.json': notes, 'en/form.json': texts, 'de/form.json': texts })).toEqual({
    'notes.json': ['form: form.sent is not in English', 'old: you is not in English'],
  })
})
