import { expect, test } from 'vitest'
import { BlockInput } from '../../blocks/contract.ts'
import type { Block } from '../../blocks/index.ts'
import type { AnswerValue } from '../../form/index.ts'
import { countAnswers, type Signs, suspect } from './suspicion.ts'

const PERSON: Signs = { isTrapFilled: false, answers: 3, elapsedMs: 60_000, wasTouched: false, proof: 'not_needed' }

test.each<[what: string, signs: Partial<Signs>, expected: ReturnType<typeof suspect>]>([
  ['takes a minute', {}, null],
  ['is one tap, at once', { answers: 1, elapsedMs: 0 }, null],
  ['has no answer, at once', { answers: 0, elapsedMs: 0 }, null],
  ['answers two fields in a second', { answers: 2, elapsedMs: 1000 }, null],
  ['answers two fields in less', { answers: 2, elapsedMs: 999 }, 'too_fast'],
  ['answers two fields in less, and was touched', { answers: 2, elapsedMs: 999, wasTouched: true }, null],
  ['answers ten fields in two seconds', { answers: 10, elapsedMs: 2000 }, null],
  ['answers ten fields in less', { answers: 10, elapsedMs: 1999 }, 'too_fast'],
  ['was opened at an unknown time', { answers: 10, elapsedMs: null }, null],
  ['filled the trap', { isTrapFilled: true }, 'honeypot'],
  ['filled the trap, and was touched', { isTrapFilled: true, wasTouched: true }, 'honeypot'],
  ['filled the trap, and did some work', { isTrapFilled: true, proof: 'done' }, null],
  ['filled the trap too fast', { isTrapFilled: true, proof: 'done', elapsedMs: 0 }, 'honeypot'],
  ['did no work', { proof: 'missing' }, 'no_proof_of_work'],
  ['did no work, and was touched', { proof: 'missing', wasTouched: true }, 'no_proof_of_work'],
])('what a form is that %s', (_what, signs, expected) => {
  expect(suspect({ ...PERSON, ...signs })).toBe(expected)
})

test('what the page has filled in is no answer', () => {
  const count = (type: string, config: object, value: AnswerValue) => {
    const block = { ...BlockInput.parse({ type, config: { name: 'a', ...config } }), id: 'one', sort_order: 0 } as Block
    return countAnswers([block], { one: { type: block.type, label: 'A', value, order: 0 } })
  }
  const label = { label: 'A' }
  expect(count('form_text', label, 'x')).toBe(1)
  expect(count('form_text', label, null)).toBe(0)
  expect(count('form_number', label, 0)).toBe(1)
  expect(count('form_media', label, [])).toBe(0)
  expect(count('form_hidden', { value: 'poster' }, 'poster')).toBe(0)
  expect(count('form_switch', { ...label, default: true }, true)).toBe(0)
  expect(count('form_switch', { ...label, default: true }, false)).toBe(1)
  expect(countAnswers([], {})).toBe(0)
})
