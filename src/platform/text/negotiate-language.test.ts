import fc from 'fast-check'
import { expect, test } from 'vitest'
import { negotiate, preferredLanguage } from './negotiate-language.ts'

const LANGUAGES = ['en', 'ja', 'de', 'fr', 'ko', 'zh', 'nl', 'sv', 'es', 'it', 'no'] as const

const MANY_UNKNOWN = Array.from({ length: 19 }, (_, index) => `x${'abcdefghijklmnopqrs'[index]}`).join(',')

test.each([
  // Headers that phones send.
  ['de', 'de'],
  ['de-AT', 'de'],
  ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'de'],
  ['ja-JP', 'ja'],
  ['zh-Hant-TW', 'zh'],
  ['zh-CN,zh;q=0.9', 'zh'],
  ['nb', 'no'],
  ['nn', 'no'],
  ['nb-NO', 'no'],
  ['nn-NO,nn;q=0.9,en;q=0.1', 'no'],
  ['no', 'no'],
  ['es-419,es;q=0.9', 'es'],
  // Case does not matter, nor does optional white space.
  ['DE-at', 'de'],
  [' fr , de ', 'fr'],
  ['en;q=0.1 , fr\t;\tq=0.2', 'fr'],
  ['fr;Q=0.2, en;q=0.1', 'fr'],
  [',, ,ko', 'ko'],
  // The highest weight wins; among equals the first one.
  ['en;q=0.5,it;q=0.8', 'it'],
  ['sv;q=0.8,nl;q=0.8', 'sv'],
  ['nl;q=0.8,sv;q=0.8', 'nl'],
  ['nl;q=0.999,sv;q=1.000', 'sv'],
  ['pt,fi;q=0.9,ko;q=0.2', 'ko'],
  ['de-CH;q=0.3,fr-CH;q=0.9', 'fr'],
  ['de;q=0.001', 'de'],
  // A weight of 0 excludes a language.
  ['de;q=0,fr;q=0.1', 'fr'],
  ['de;q=0.000,fr;q=0.1', 'fr'],
  ['de-AT,de;q=0,it;q=0.1', 'it'],
  ['de-AT;q=0,de', 'de'],
  ['nn;q=0,nb', 'no'],
  // `*` is the fallback, unless another range names it.
  ['*', 'en'],
  ['pt,*;q=0.5', 'en'],
  ['fr;q=0.4,*;q=0.5', 'en'],
  ['en;q=0,*', 'ja'],
  ['en;q=0,ja;q=0,*;q=0.1', 'de'],
  ['en;q=0.3,*;q=0.5', 'ja'],
  ['de,*;q=0', 'de'],
  // Nothing available, malformed, or excluded.
  [undefined, 'en'],
  ['', 'en'],
  ['pt-BR,pt;q=0.9', 'en'],
  ['en;q=0', 'en'],
  ['*;q=0', 'en'],
  ['deutsch', 'en'],
  ['de_DE', 'en'],
  ['de;q=2', 'en'],
  ['de;q=-1', 'en'],
  ['de;q=0.1234', 'en'],
  ['de;q=high', 'en'],
  ['de;level=1', 'en'],
  ['de-', 'en'],
  ['-de', 'en'],
  ['de fr', 'en'],
  ['d*', 'en'],
  ['<script>', 'en'],
  ['constructor,__proto__', 'en'],
  // A malformed range does not affect the others.
  ['de;q=high,fr;q=0.1', 'fr'],
  // Only the first 20 ranges count, and a range has at most 8 parts.
  [`${MANY_UNKNOWN},de`, 'de'],
  [`${MANY_UNKNOWN},pt,de`, 'en'],
  [`de${'-aaaaaaaa'.repeat(7)}`, 'de'],
  [`de${'-aaaaaaaa'.repeat(8)}`, 'en'],
])('%j selects %s', (header, language) => {
  expect(negotiate(header, LANGUAGES, 'en')).toBe(language)
})

test('prefers an available regional variant over the language and keeps its spelling', () => {
  const available = ['pt', 'pt-BR', 'zh-Hans', 'no', 'nn'] as const
  expect(negotiate('pt-br', available, 'pt')).toBe('pt-BR')
  expect(negotiate('pt-PT', available, 'pt')).toBe('pt')
  expect(negotiate('zh-Hans-CN', available, 'pt')).toBe('zh-Hans')
  expect(negotiate('zh-Hant', available, 'pt')).toBe('pt')
  expect(negotiate('nn-NO', available, 'pt')).toBe('nn')
  expect(negotiate('pt-BR;q=0.5,pt;q=0,no;q=0.1', available, 'nn')).toBe('no')
})

test('selects the same language elsewhere, in the same script', () => {
  const available = ['en', 'pt-BR', 'zh-Hans', 'zh-Hant-HK'] as const
  expect(negotiate('pt', available, 'en')).toBe('pt-BR')
  expect(negotiate('pt-PT, en', available, 'en')).toBe('pt-BR')
  expect(negotiate('zh-TW', available, 'en')).toBe('zh-Hant-HK')
  expect(negotiate('zh-SG', available, 'en')).toBe('zh-Hans')
  expect(negotiate('zh-Mong', available, 'en')).toBe('en')
})

test('returns a fallback that is not available only when nothing else matches', () => {
  expect(negotiate('en,de;q=0.1', ['de'], 'en')).toBe('de')
  expect(negotiate('fr', ['de'], 'en')).toBe('en')
  expect(negotiate('*', ['de'], 'en')).toBe('de')
  expect(negotiate('*', [], 'en')).toBe('en')
})

test('returns an available language for any header of any length', () => {
  const piece = fc.constantFrom('de', 'en', '*', '-', ',', ';', ';q=0', ';q=0.', '1', ' ', '\t', 'aaaaaaaa', 'é', '\0')
  const header = fc.array(piece, { maxLength: 4000 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.oneof(header, fc.string({ unit: 'binary' })), (sent) => {
      expect(LANGUAGES).toContain(negotiate(sent, LANGUAGES, 'en'))
    }),
  )
})

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de-at'],
  ['en;q=0.5,de;q=0.8', 'de'],
  ['fr;q=0.8,de;q=0.8', 'fr'],
  ['fr;q=0,*;q=1,it;q=0.1', 'it'],
  ['de;q=high,fr;q=0.1', 'fr'],
])('of %j the browser prefers %s', (header, tag) => {
  expect(preferredLanguage(header)?.tag).toBe(tag)
  // Also from the cache.
  expect(preferredLanguage(header)?.tag).toBe(tag)
})

test.each(['', '*', 'de;q=0', '!', '*;q=0.5'])('of %j the browser prefers none', (header) => {
  expect(preferredLanguage(header)).toBeUndefined()
  expect(preferredLanguage(header)).toBeUndefined()
})

test.each([
  ['de', ['de', 'de-latn', 'de-latn-de']],
  ['de-AT-1996', ['de', 'de-at', 'de-at-1996', 'de-latn', 'de-latn-at', 'de-latn-at-1996']],
  ['zh-TW', ['zh', 'zh-hant', 'zh-hant-tw', 'zh-tw']],
  ['nb-NO', ['nb', 'nb-latn', 'nb-latn-no', 'nb-no', 'no']],
  ['iw', ['he', 'he-hebr', 'he-hebr-il', 'iw']],
])('%s is also known as %j', (header, names) => {
  expect([...(preferredLanguage(header)?.names ?? [])].sort()).toEqual(names)
})

test('a preferred language is found in any header of any length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 4000 }), (sent) => {
      const preferred = preferredLanguage(sent)
      expect(preferred === undefined || preferred.names.has(preferred.tag)).toBe(true)
    }),
  )
})
