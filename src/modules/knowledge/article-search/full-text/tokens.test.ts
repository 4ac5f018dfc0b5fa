import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenize } from './tokens.ts'

const texts = (text: string, withSingles = false) => [...tokenize(text, withSingles)].map(({ text }) => text)

test('splits at spaces and punctuation, keeps contractions, and separates elided articles', () => {
  expect(texts('Oil the hinge, e.g. WM-2000!')).toEqual(['oil', 'the', 'hinge', 'e', 'g', 'wm', '2000'])
  expect(texts("don't touch l'eau of the printer’s")).toEqual(['dont', 'touch', 'l', 'eau', 'of', 'the', 'printers'])
  expect(texts('🏷️ … !?')).toEqual([])
  expect(texts('⑴ ㈠ ½ ﷺ')).toEqual(['1', '一', '12', 'صلىاللهعليهوسلم'])
})

test('splits scripts without spaces into pairs of characters, and single characters on request', () => {
  expect(texts('日本語')).toEqual(['日本', '本語'])
  expect(texts('日本語', true)).toEqual(['日', '日本', '本', '本語', '語'])
  expect(texts('本')).toEqual(['本'])
  expect(texts('iPhoneの設定、Wi-Fi')).toEqual(['iphone', 'の設', '設定', 'wi', 'fi'])
  expect(texts('ﾌﾟﾘﾝ')).toEqual(['プリ', 'リン'])
  expect(texts('프린터')).toEqual(['프린', '린터'])
})

test('returns the right position of each token in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      let last = 0
      for (const { text: token, start, end, isGram } of tokenize(text, false)) {
        expect(token).toMatch(/^[\p{L}\p{N}\p{M}\ufffd]+$/u)
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
        if (!isGram) last = end
      }
    }),
  )
})

test('cuts very long words', () => {
  expect(texts('a'.repeat(5000))[0]).toHaveLength(40)
})
