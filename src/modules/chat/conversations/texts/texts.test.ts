import { test } from 'vitest'
import { expectSameTexts } from '../../../../testing/expect-same-texts.ts'
import { NOTICE_TEXTS } from './index.ts'

test.each(Object.entries(NOTICE_TEXTS))('%s has every notice', (_language, texts) => {
  expectSameTexts(texts, NOTICE_TEXTS.en)
})
