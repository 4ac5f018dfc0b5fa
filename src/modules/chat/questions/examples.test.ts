import { expect, test } from 'vitest'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { QUESTION_LENGTH_MAX } from './contract.ts'
import { addExample, mostTypical, shorten } from './examples.ts'
import type { Example } from './queries.ts'

const asked = (text: string, second = 0) => ({
  orgId: newId() as OrgId,
  chatbotId: newId(),
  conversationId: newId(),
  messageId: newId(),
  text,
  language: 'en' as const,
  now: `2026-06-09T22:50:0${second}.000+00:00`,
})

test('the same words in another case are one example', () => {
  const examples = addExample(addExample([], asked('Reset it')), asked(' reset\n IT '))
  expect(examples).toMatchObject([{ question: 'Reset it', count: 2 }])
})

test('keeps five: the one asked least, and of those the oldest, makes room', () => {
  let examples: Example[] = []
  for (let n = 0; n < 5; n++) examples = addExample(examples, asked(`Way ${n}`, n))
  examples = addExample(examples, asked('Way 0', 6))
  examples = addExample(examples, asked('Way 5', 7))
  expect(examples.map(({ question }) => question)).toEqual(['Way 0', 'Way 2', 'Way 3', 'Way 4', 'Way 5'])
  expect(mostTypical(examples)).toBe('Way 0')
})

test('the most typical example is the most frequent, or the first of several', () => {
  const examples = ['a', 'b', 'c', 'b'].reduce<Example[]>((all, text) => addExample(all, asked(text)), [])
  expect(mostTypical(examples)).toBe('b')
  expect(mostTypical(examples.filter(({ question }) => question !== 'b'))).toBe('a')
})

test('cuts a long question between characters', () => {
  const emoji = '🏷️'.repeat(400)
  expect([...shorten(emoji)]).toHaveLength(QUESTION_LENGTH_MAX)
  expect(shorten(emoji).isWellFormed()).toBe(true)
  expect(shorten('🏷'.repeat(QUESTION_LENGTH_MAX))).toBe('🏷'.repeat(QUESTION_LENGTH_MAX))
  expect(shorten('a\u0000b\r\n c')).toBe('a b c')
})
