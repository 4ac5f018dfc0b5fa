import { expect, test } from 'vitest'
import { BlockInput } from '../blocks/contract.ts'
import type { FieldBlock } from './check-field.ts'
import { possibleProblems } from './possible-problems.ts'

const OPTIONS = [{ value: 'red', label: 'Red' }]

test.each<[type: string, config: object, expected: string[]]>([
  ['form_text', {}, []],
  ['form_text', { required: true, min: 2, max: 9, pattern: 'x' }, ['required', 'too_short 2', 'pattern']],
  ['form_textarea', { min: 0 }, ['too_short 0']],
  ['form_email', { required: true }, ['required', 'email']],
  ['form_phone', {}, ['phone']],
  ['form_number', { min: -5, max: 5, step: 0.5 }, ['number', 'too_small -5', 'too_large 5', 'step 0.5']],
  ['form_select', { required: true, options: OPTIONS }, ['required']],
  ['form_radio', { options: OPTIONS }, []],
  ['form_checkbox', { options: OPTIONS, min: 1, max: 1 }, ['too_few 1', 'too_many 1']],
  ['form_switch', { required: true }, ['required']],
  ['form_rating', { required: true }, ['required']],
  ['form_date', { min: '2026-01-01', max: '2026-12-31' }, ['date', 'too_early 2026-01-01', 'too_late 2026-12-31']],
  ['form_media', { required: true, max_files: 3 }, ['required', 'too_many_files 3']],
])('%s %j can have these problems', (type, config, expected) => {
  const block = BlockInput.parse({ type, config: { name: 'a', label: 'A', ...config } }) as FieldBlock
  const found = possibleProblems(block)
  expect(found.map(({ problem, limit }) => (limit === undefined ? problem : `${problem} ${limit}`))).toEqual(expected)
})
