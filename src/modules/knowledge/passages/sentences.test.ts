import { expect, test } from 'vitest'
import { toSentences } from './sentences.ts'

test.each([
  ['Oil it. Then wax it! Ready?', ['Oil it.', 'Then wax it!', 'Ready?']],
  ['It weighs 2.4 kg. Use e.g. a cloth.', ['It weighs 2.4 kg.', 'Use e.g. a cloth.']],
  ['Nehmen Sie z. B. Wachs. Fertig.', ['Nehmen Sie z. B. Wachs.', 'Fertig.']],
  ['He said "stop." Then it stopped.', ['He said "stop."', 'Then it stopped.']],
  ['電源を切ります。30分待ちます。', ['電源を切ります。', '30分待ちます。']],
  ['no end', ['no end']],
  ['', []],
])('%j has the sentences %j', (text, sentences) => {
  expect(toSentences(text)).toEqual(sentences)
})
