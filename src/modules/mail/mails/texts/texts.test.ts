import { test } from 'vitest'
import { expectSameTexts } from '../../../../testing/expect-same-texts.ts'
import { MAIL_TEXTS } from './index.ts'

test.each(Object.entries(MAIL_TEXTS))(
  '%s has every text, with the same placeholders as English',
  (_language, texts) => {
    expectSameTexts(texts, MAIL_TEXTS.en)
  },
)
