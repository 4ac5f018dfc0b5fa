import { expect, test } from 'vitest'
import { LANGUAGES } from '../../../../platform/contract/languages.ts'
import { expectSameTexts } from '../../../../testing/expect-same-texts.ts'
import { TEXTS } from './index.ts'

test.each(LANGUAGES)('%s has all texts', (language) => {
  expectSameTexts(TEXTS[language], TEXTS.en)
  expect(TEXTS[language].from).toContain('{title}')
})
