import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import type { AnsweredFile } from '../../assets/uploads/index.ts'
import { BlockInput } from '../blocks/contract.ts'
import type { Block } from '../blocks/index.ts'
import { checkAnswers, DATA_BYTES_MAX } from './check-answers.ts'

const NO_FILES = new Map<string, AnsweredFile>()
const OPTIONS = [
  { value: 'red', label: 'Red' },
  { value: 'green', label: { en: 'Green', de: 'Grün' } },
  { value: 'blue', label: 'Blue' },
]

/** A block as it is stored. */
function block(type: string, config: object, sort_order = 0): Block {
  const needsLabel = type === 'form_hidden' ? {} : { label: 'Answer' }
  const input = BlockInput.parse({ type, config: { name: `field-${sort_order}`, ...needsLabel, ...config } })
  return { ...input, id: newId(), sort_order } as Block
}

/** The value that is stored for an answer, or the problem with it. */
function check(type: string, config: object, sent: readonly string[], files = NO_FILES): unknown {
  const field = block(type, config)
  const checked = checkAnswers([field], new Map([['field-0', sent]]), files, 'en')
  if ('data' in checked) return checked.data[field.id]?.value
  const [{ name, ...problem }] = checked.problems as [{ name: string; problem: string; limit?: string | number }]
  expect(name).toBe('field-0')
  return problem.limit === undefined ? problem.problem : [problem.problem, problem.limit]
}

describe.each<[string, object, string[], unknown][]>([
  [
    ['form_text', {}, [' Berlin '], 'Berlin'],
    ['form_text', {}, ['two\r\nlines'], 'two lines'],
    ['form_text', {}, [''], null],
    ['form_text', {}, [], null],
    ['form_text', { required: true }, ['   '], 'required'],
    ['form_text', { min: 3 }, ['ab'], ['too_short', 3]],
    ['form_text', { min: 3 }, ['👍👍👍'], '👍👍👍'],
    ['form_text', { max: 2 }, ['👍👍'], '👍👍'],
    ['form_text', { max: 2 }, ['abc'], ['too_long', 2]],
    ['form_text', {}, ['x'.repeat(1001)], ['too_long', 1000]],
    ['form_text', { pattern: '[A-Z]{2}\\d+' }, ['AB12'], 'AB12'],
    ['form_text', { pattern: '[A-Z]{2}\\d+' }, ['AB12 and more'], 'pattern'],
    ['form_text', { pattern: 'a|ab' }, ['ab'], 'ab'],
    ['form_text', { pattern: '(a+)+' }, [`${'a'.repeat(900)}!`], 'pattern'],
    ['form_text', { pattern: 'x' }, [''], null],
    ['form_text', {}, ['a\u0000b\ud800c'], 'ab\ufffdc'],
    ['form_text', {}, ['שלום \u202eعالم'], 'שלום \u202eعالم'],
    ['form_text', {}, ['first', 'second'], 'first'],
  ],
  [
    ['form_textarea', {}, ['one\r\n\r\ntwo\n'], 'one\n\ntwo'],
    ['form_textarea', { max: 3 }, ['a\r\nb'], 'a\nb'],
    ['form_textarea', {}, ['é'.repeat(10_001)], ['too_long', 10_000]],
    ['form_textarea', { required: true }, ['\r\n'], 'required'],
  ],
  [
    ['form_email', {}, [' visitor@acme.example '], 'visitor@acme.example'],
    ['form_email', {}, ['visitor@'], 'email'],
    ['form_email', {}, ['a@b@c.example'], 'email'],
    ['form_email', {}, [`${'a'.repeat(300)}@acme.example`], ['too_long', 254]],
    ['form_email', { required: true }, [], 'required'],
  ],
  [
    ['form_phone', {}, ['+49 (30) 123-456/7'], '+49 (30) 123-456/7'],
    ['form_phone', {}, ['030 1234 ext. 12'], '030 1234 ext. 12'],
    ['form_phone', {}, ['12'], 'phone'],
    ['form_phone', {}, ['call me'], 'phone'],
    ['form_phone', {}, ['1'.repeat(51)], ['too_long', 50]],
  ],
  [
    ['form_number', {}, ['-1.5'], -1.5],
    ['form_number', {}, ['1,5'], 1.5],
    ['form_number', {}, ['1e3'], 1000],
    ['form_number', {}, ['0'], 0],
    ['form_number', {}, ['-0'], 0],
    ['form_number', {}, ['1e999'], 'number'],
    ['form_number', {}, ['0x10'], 'number'],
    ['form_number', {}, ['Infinity'], 'number'],
    ['form_number', {}, ['1 2'], 'number'],
    ['form_number', { min: 0 }, ['-1'], ['too_small', 0]],
    ['form_number', { max: 10 }, ['10.1'], ['too_large', 10]],
    ['form_number', { step: 0.1 }, ['0.3'], 0.3],
    ['form_number', { step: 0.1 }, ['0.35'], ['step', 0.1]],
    ['form_number', { min: 1, step: 2 }, ['4'], ['step', 2]],
    ['form_number', { min: 1, step: 2 }, ['5'], 5],
    ['form_number', { required: true }, [''], 'required'],
  ],
  [
    ['form_select', { options: OPTIONS }, ['green'], 'green'],
    ['form_select', { options: OPTIONS }, ['Green'], 'option'],
    ['form_radio', { options: OPTIONS }, ['black'], 'option'],
    ['form_radio', { options: OPTIONS }, [], null],
    ['form_radio', { options: OPTIONS, required: true }, [], 'required'],
  ],
  [
    ['form_switch', {}, ['on'], true],
    ['form_switch', {}, ['true'], true],
    ['form_switch', {}, ['', 'on'], true],
    ['form_switch', {}, [], false],
    ['form_switch', {}, ['off'], false],
    ['form_switch', { required: true }, [], 'required'],
  ],
  [
    ['form_checkbox', { options: OPTIONS }, ['blue', 'red', 'blue'], ['red', 'blue']],
    ['form_checkbox', { options: OPTIONS }, ['red', 'black'], 'option'],
    ['form_checkbox', { options: OPTIONS }, [], []],
    ['form_checkbox', { options: OPTIONS, required: true }, [''], 'required'],
    ['form_checkbox', { options: OPTIONS, min: 2 }, ['red'], ['too_few', 2]],
    ['form_checkbox', { options: OPTIONS, min: 2 }, [], []],
    ['form_checkbox', { options: OPTIONS, max: 1 }, ['red', 'blue'], ['too_many', 1]],
  ],
  [
    ['form_rating', {}, ['5'], 5],
    ['form_rating', {}, ['6'], ['too_large', 5]],
    ['form_rating', {}, ['0'], ['too_small', 1]],
    ['form_rating', {}, ['4.5'], 'number'],
    ['form_rating', { required: true }, [], 'required'],
  ],
  [
    ['form_date', {}, ['2024-02-29'], '2024-02-29'],
    ['form_date', {}, ['2026-02-29'], 'date'],
    ['form_date', {}, ['2026-13-01'], 'date'],
    ['form_date', {}, ['9.6.2026'], 'date'],
    ['form_date', { min: '2026-01-01' }, ['2025-12-31'], ['too_early', '2026-01-01']],
    ['form_date', { max: '2026-01-01' }, ['2026-01-02'], ['too_late', '2026-01-01']],
  ],
  [
    ['form_hidden', { value: 'shop' }, [], 'shop'],
    ['form_hidden', { value: 'shop' }, ['poster'], 'poster'],
    ['form_hidden', {}, ['👍'.repeat(600)], '👍'.repeat(500)],
  ],
])('answers', (...cases) => {
  test.each(cases)('%s %j %j', (type, config, sent, expected) => {
    expect(check(type, config, sent)).toEqual(expected)
  })
})

describe('files', () => {
  const file = (media_type: string, size_bytes: number): AnsweredFile => ({
    id: newId(),
    file_name: 'crack.jpg',
    media_type,
    size_bytes,
  })
  const image = file('image/jpeg', 10)
  const files = (...all: AnsweredFile[]) => new Map(all.map((one) => [one.id, one]))

  test.each<[string, object, AnsweredFile[], unknown]>([
    [
      'an image',
      {},
      [image],
      [{ file_id: image.id, file_name: 'crack.jpg', media_type: 'image/jpeg', size_bytes: 10 }],
    ],
    ['none', {}, [], []],
    ['none, but required', { required: true }, [], 'required'],
    ['a video for an image', {}, [file('video/mp4', 10)], ['file_type', 'image']],
    ['a video', { accept: ['image', 'video'] }, [file('video/mp4', 10)], [expect.anything()]],
    ['a PDF', { accept: ['pdf'] }, [file('application/pdf', 10)], [expect.anything()]],
    ['of exactly the limit', { max_size_mb: 1 }, [file('image/png', 1024 * 1024)], [expect.anything()]],
    ['too large', { max_size_mb: 1 }, [file('image/png', 1024 * 1024 + 1)], ['file_too_large', 1]],
    ['too many', { max_files: 1 }, [file('image/png', 1), file('image/png', 2)], ['too_many_files', 1]],
  ])('%s', (_what, config, sent, expected) => {
    expect(
      check(
        'form_media',
        config,
        sent.map(({ id }) => id),
        files(...sent),
      ),
    ).toEqual(expected)
  })

  test('one that was never uploaded is missing, and one that is named twice counts once', () => {
    expect(check('form_media', {}, [newId()])).toBe('file_missing')
    expect(check('form_media', { max_files: 1 }, [image.id, image.id], files(image))).toHaveLength(1)
  })
})

test('labels are in the language of the visitor, or in the default language of the page', () => {
  const field = block('form_text', { label: { en: 'Name', de: 'Ihr Name' } }, 3)
  const labelIn = (language: string) => {
    const checked = checkAnswers([field], new Map(), NO_FILES, language, 'en')
    return 'data' in checked ? checked.data[field.id] : undefined
  }
  expect(labelIn('de')).toEqual({ type: 'form_text', name: 'field-3', label: 'Ihr Name', value: null, order: 3 })
  expect(labelIn('de-AT')?.label).toBe('Ihr Name')
  expect(labelIn('ja')?.label).toBe('Name')
})

test('reports every field that has a problem, and ignores blocks that are no fields and names that no field has', () => {
  const blocks = [
    { ...BlockInput.parse({ type: 'heading', config: { text: 'Hello' } }), id: newId(), sort_order: 0 } as Block,
    block('form_text', { required: true }, 1),
    block('form_number', {}, 2),
    block('form_text', {}, 3),
  ]
  const answers = new Map([
    ['field-2', ['many']],
    ['unknown', ['x']],
  ])
  expect(checkAnswers(blocks, answers, NO_FILES, 'en')).toEqual({
    problems: [
      { name: 'field-1', problem: 'required' },
      { name: 'field-2', problem: 'number' },
    ],
  })
})

test('a form that is too long as a whole names its longest answer', () => {
  const blocks = Array.from({ length: 30 }, (_, n) => block('form_textarea', {}, n))
  const answers = new Map(blocks.map((_, n) => [`field-${n}`, ['x'.repeat(n === 7 ? 9999 : 9000)]]))
  expect(checkAnswers(blocks, answers, NO_FILES, 'en')).toEqual({
    problems: [{ name: 'field-7', problem: 'too_long', limit: expect.any(Number) }],
  })
})

const TYPES: [string, object][] = [
  ['form_text', { min: 2, max: 20, pattern: '.*' }],
  ['form_textarea', { required: true }],
  ['form_email', {}],
  ['form_phone', {}],
  ['form_number', { min: -5, max: 5, step: 0.25 }],
  ['form_select', { options: OPTIONS }],
  ['form_radio', { options: OPTIONS }],
  ['form_switch', {}],
  ['form_checkbox', { options: OPTIONS, max: 2 }],
  ['form_rating', { max: 7 }],
  ['form_date', { min: '2026-01-01', max: '2026-12-31' }],
  ['form_hidden', { value: 'x' }],
  ['form_media', {}],
]

test('any input either has a problem, or becomes data that JSON and both databases can store unchanged', () => {
  const blocks = TYPES.map(([type, config], n) => block(type, config, n))
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme-composite' }),
    fc.constantFrom('red', 'on', '', '3', '2026-06-09', 'visitor@acme.example', '1.25', '\u0000'),
  )
  const values = fc.array(value, { maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...blocks), values, (field, sent) => {
      const answers = new Map([[`field-${field.sort_order}`, sent]])
      const checked = checkAnswers([field], answers, NO_FILES, 'en')
      if ('problems' in checked) {
        expect(checked.problems).toHaveLength(1)
        return
      }
      const json = JSON.stringify(checked.data)
      expect(JSON.parse(json)).toEqual(checked.data)
      expect(json.isWellFormed()).toBe(true)
      expect(json).not.toMatch(/\\u00(0[0-8bcef]|1)/)
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(DATA_BYTES_MAX)
      expect(Object.keys(checked.data)).toEqual([field.id])
    }),
    { numRuns: 1000 },
  )
})

test('checking stored answers again changes nothing', () => {
  const types = TYPES.filter(([type]) => !['form_media', 'form_switch'].includes(type))
  const blocks = types.map(([type, config], n) => block(type, config, n))
  const answer: Record<string, fc.Arbitrary<string>> = {
    form_text: fc.string({ minLength: 5, maxLength: 9, unit: 'grapheme' }),
    form_number: fc.integer({ min: -20, max: 20 }).map((n) => String(n / 4)),
    form_date: fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}`),
    form_textarea: fc.string({ minLength: 1 }).map((text) => `x${text}`),
  }
  const sent = fc.tuple(...types.map(([type]) => answer[type] ?? fc.constant('')))
  fc.assert(
    fc.property(sent, (texts) => {
      const first = checkAnswers(blocks, new Map(texts.map((text, n) => [`field-${n}`, [text]])), NO_FILES, 'en')
      if (!('data' in first)) return
      const stored = blocks.map(({ id }) => [first.data[id]?.value ?? ''].flat().map(String))
      const again = checkAnswers(blocks, new Map(stored.map((value, n) => [`field-${n}`, value])), NO_FILES, 'en')
      expect(again).toEqual(first)
    }),
  )
})
