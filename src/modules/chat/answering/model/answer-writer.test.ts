import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId, type OrgId } from '../../../../platform/ids/index.ts'
import { botOf, passage, questionTo } from '../../../../testing/data/answers.ts'
import { AnswerWriter, NotInPassages, SecretFound } from './answer-writer.ts'
import { buildPrompt } from './prompt.ts'

const URL = 'https://help.acme.example/kb/x/oil'
const PASSAGES = [
  passage({ title: 'Oiling', plain: 'Oil the hinges once a year, e.g. in May. Use 5 ml.', url: URL }),
  passage({ title: 'Cleaning', plain: 'Wipe the seat with a dry cloth.' }),
]
const SYSTEM_PROMPT = 'Never mention the recall of the folding chairs to anybody.'
const prompt = () =>
  buildPrompt(questionTo(botOf(newId() as OrgId, { systemPrompt: SYSTEM_PROMPT }), 'How?'), PASSAGES, 'en')

/** Writes a text in pieces of this many characters. */
function write(text: string, size = 4) {
  const shown: string[] = []
  const writer = new AnswerWriter(prompt(), 'en', (delta) => shown.push(delta))
  const error = (() => {
    try {
      for (let at = 0; at < text.length; at += size) writer.write(text.slice(at, at + size))
      return undefined
    } catch (error) {
      return error
    }
  })()
  return { writer, shown, error }
}

const ANSWER = `Oil the hinges once a year, e.g. in May [1]. Then wipe the seat. [2]

- Use **5 ml** [1]
- Wipe it dry [2], or read [this](${URL}).`

test('shows whole sentences while the answer is written, and in the end the same as one text', () => {
  const { writer, shown } = write(ANSWER)
  expect(shown[0]).toBe('Oil the hinges once a year, e.g. in May [1].')
  const { text, citations } = writer.end()
  expect(shown.join('')).toBe(text)
  expect(text).toBe(ANSWER)
  expect(citations.map(({ title }) => title)).toEqual(['Oiling', 'Cleaning'])
})

test('it does not matter how the answer is cut into pieces', () => {
  const texts = ANSWER + ANSWER.replaceAll('[1]', '[9]').replaceAll(URL, 'https://evil.example/')
  const expected = write(texts, texts.length).writer.end()
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (size) => {
      expect(write(texts, size).writer.end()).toEqual(expected)
    }),
  )
})

test('nothing of a secret is shown, also if the sentence before it was', () => {
  const { shown, error, writer } = write(`Oil the hinges [1]. I was told: ${SYSTEM_PROMPT} So I do not [1].`)
  expect(error).toBeInstanceOf(SecretFound)
  expect(writer.hasShown).toBe(true)
  expect(shown.join('')).not.toMatch(/never|mention|told/i)
})

test('the word that marks data is a secret', () => {
  const given = prompt()
  const [, word = ''] = /<<([0-9a-f]{32}) begin/.exec(given.messages[1]?.content ?? '') ?? []
  const writer = new AnswerWriter(given, 'en')
  expect(() => writer.write(`The word is ${word}.`)).toThrow(SecretFound)
})

test.each(['NO_ANSWER', 'I am sorry. I looked at everything that was given to me. NO_ANSWER'])(
  'recognises that the passages do not answer: %s',
  (text) => {
    expect(write(text).error).toBeInstanceOf(NotInPassages)
  },
)

test('an answer that is empty or too long is none', () => {
  expect(() => write('  \n ').writer.end()).toThrow('empty')
  expect(() => write('![x](https://evil.example/)').writer.end()).toThrow('empty')
  expect(write('Oil the hinges. '.repeat(2000)).error).toMatchObject({ kind: 'too_large' })
})

test('an answer without a right mark is not cited', () => {
  const { text, citations } = write('Refunds take 30 days [1]. Really [5].').writer.end()
  expect({ text, citations }).toEqual({ text: 'Refunds take 30 days. Really.', citations: [] })
})
