import { test } from 'vitest'
import { expectSameTexts } from '../../../../testing/expect-same-texts.ts'
import { TEXTS } from './index.ts'

test.each(Object.entries(TEXTS))('%s has every text, with the same placeholders as English', (_language, texts) => {
  expectSameTexts(texts, TEXTS.en)
})
