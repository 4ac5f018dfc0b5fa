import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { slugify, takeSlug } from './slugify.ts'

test.each([
  ['Care guide', 'care-guide'],
  ['  Care -- guide!  ', 'care-guide'],
  ['Zubehör & Teile', 'zubehor-teile'],
  ['Zubehör'.normalize('NFD'), 'zubehor'],
  ['GRÖSSE & Größe', 'grosse-grosse'],
  ['Ærøskøbing', 'aeroskobing'],
  ['Łódź, Đà Nẵng, Þingvellir', 'lodz-da-nang-thingvellir'],
  ['İstanbul ılık', 'istanbul-ilik'],
  ['Œuvres d’été', 'oeuvres-dete'],
  ["Don't panic", 'dont-panic'],
  ['ＦＡＱ ﬁnder', 'faq-finder'],
  ['snake_case/and.dots', 'snake-case-and-dots'],
  ['日本語 FAQ 2026', 'faq-2026'],
  ['2026', '2026'],
  ['日本語', 'fallback'],
  ['Справка', 'fallback'],
  ['مساعدة', 'fallback'],
  ['🏷️👩‍🔧', 'fallback'],
  ['---', 'fallback'],
  ['', 'fallback'],
])('%j becomes %j', (name, slug) => {
  expect(slugify(name, 'fallback')).toBe(slug)
})

test('cuts a long name without leaving a hyphen at the end', () => {
  expect(slugify('x'.repeat(500), '')).toBe('x'.repeat(190))
  expect(slugify(`${'x'.repeat(189)} y`, '')).toBe('x'.repeat(189))
})

test('makes a valid slug of any name, with room for a number', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ unit: 'grapheme' })), (name) => {
      expect(slugify(name, 'fallback')).toMatch(/^(?=.{1,190}$)[a-z0-9]+(-[a-z0-9]+)*$/)
    }),
  )
})

describe('takeSlug', () => {
  const fakeStore = (...slugs: string[]) => {
    const taken = new Set(slugs)
    let questions = 0
    const isTaken = async (slug: string) => {
      questions++
      return taken.has(slug)
    }
    const take = async (slug: string) => !taken.has(slug) && taken.add(slug) !== undefined
    return { taken, isTaken, take, questions: () => questions }
  }

  test('returns the slug first, then adds consecutive numbers', async () => {
    const { isTaken, take } = fakeStore()
    const given: string[] = []
    for (let n = 0; n < 70; n++) given.push(await takeSlug('care', isTaken, take))
    expect(given).toEqual(['care', ...Array.from({ length: 69 }, (_, n) => `care-${n + 2}`)])
  })

  test('returns a free slug for any set of taken ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 40 })), async (numbers) => {
        const before = numbers.map((n) => (n === 1 ? 'care' : `care-${n}`))
        const { isTaken, take } = fakeStore(...before)
        const given = await takeSlug('care', isTaken, take)
        expect(given).toMatch(/^care(-[1-9]\d*)?$/)
        expect(before).not.toContain(given)
      }),
    )
  })

  test('needs few lookups even if 100,000 slugs are taken', async () => {
    const many = fakeStore('care', ...Array.from({ length: 99_999 }, (_, n) => `care-${n + 2}`))
    expect(await takeSlug('care', many.isTaken, many.take)).toBe('care-100001')
    expect(many.questions()).toBeLessThan(40)
  })

  test('searches again when another writer took the slug first', async () => {
    const { taken, isTaken, take } = fakeStore()
    const quicker = ['care', 'care-2']
    const given = await takeSlug('care', isTaken, (slug) => {
      if (slug === quicker[0]) taken.add(quicker.shift()!)
      return take(slug)
    })
    expect(given).toBe('care-3')
  })
})
