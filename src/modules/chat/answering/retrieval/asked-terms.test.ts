import { expect, test } from 'vitest'
import type { Language } from '../../../../platform/contract/languages.ts'
import { newId, type OrgId } from '../../../../platform/ids/index.ts'
import { toAskedTerms } from './asked-terms.ts'

const bot = {
  id: newId(),
  orgId: newId() as OrgId,
  name: 'Acme',
  model: null,
  systemPrompt: null,
  tone: null,
  articleIds: [],
  categoryIds: [],
  knowledgeBaseIds: [],
  humanSupport: false,
}
const ask = (language: Language, text: string, before: string[] = [], facts: [string, string][] = []) => {
  const history = before.flatMap((asked) => [
    { role: 'user' as const, text: asked },
    { role: 'assistant' as const, text: 'Polish it with vinegar.' },
  ])
  return toAskedTerms({ bot, text, language, history, facts: new Map(facts) }, language)
}
const texts = (...asked: Parameters<typeof ask>) => ask(...asked).terms.map(({ text }) => text)

test.each<[Language, string, string[]]>([
  ['en', 'How do I please clean the machine?', ['clean', 'machine']],
  ['de', 'Wie kann ich bitte die Maschine reinigen?', ['maschine', 'reinigen']],
  ['fr', 'Comment puis-je nettoyer la machine ?', ['nettoyer', 'machine']],
  ['es', '¿Cómo puedo limpiar la máquina?', ['limpiar', 'maquina']],
  ['ja', '機械の掃除はどうすればいいですか', ['機械', '掃除']],
  ['en', 'what is it?', ['what', 'is', 'it']],
  ['en', '🏷️', []],
])('%s: the words of %j that say something are %j', (language, text, words) => {
  expect(texts(language, text)).toEqual(words)
})

test('a follow-up has the words of the question before, with less weight; what the bot said does not count', () => {
  const { terms, isHowTo } = ask('en', 'And the Grande?', ['How do I descale the Mini?'])
  expect(terms.map(({ text, weight }) => [text, weight])).toEqual([
    ['grande', 1],
    ['descale', 0.5],
    ['mini', 0.5],
  ])
  expect(isHowTo).toBe(true)
})

test.each<[Language, string, string, string[]]>([
  ['en', 'and for the big one?', 'Refill water on the small Thermo 12', ['big', 'refill', 'water', 'thermo']],
  ['de', 'Und bei der großen?', 'Kleine Maschine entkalken', ['grossen', 'maschine', 'entkalken']],
  ['ja', '大型は？', '小型の掃除', ['大型', '掃除']],
])('%s: %j after %j replaces the opposite kind and its number', (language, text, before, words) => {
  expect(texts(language, text, [before])).toEqual(words)
})

test('a question that stands alone forgets the one before', () => {
  expect(texts('en', 'Which capsules fit the machine?', ['How do I charge the battery?'])).toEqual([
    'capsules',
    'fit',
    'machine',
  ])
})

test('the name of the scanned thing is a hint', () => {
  const { terms } = ask(
    'en',
    'How do I descale?',
    [],
    [
      ['object.name', 'Aroma Mini'],
      ['object.properties.note', 'secret'],
    ],
  )
  expect(terms.map(({ text, isHint }) => [text, isHint])).toEqual([
    ['descale', false],
    ['aroma', true],
    ['mini', true],
  ])
})

test('a very long question has a limited number of words', () => {
  expect(texts('en', Array.from({ length: 500 }, (_, n) => `word${n}`).join(' ')).length).toBeLessThanOrEqual(24)
})
