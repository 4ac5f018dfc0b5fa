import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { StoredRules } from './compile.ts'
import { ImaginedScan, RuleExamples, rulesOf } from './contract.ts'
import { findFailedExample } from './examples.ts'
import { explain } from './explain.ts'
import { factsOf } from './imagined-scan.ts'

const GUIDE = readFileSync(new URL('../../../../docs/rules.md', import.meta.url), 'utf8')

const Document = z.strictObject({
  time_zone: z.string(),
  rules: rulesOf(z.strictObject({ url: z.url() })),
  examples: RuleExamples.optional(),
})
type Document = z.infer<typeof Document>

interface Row {
  scan: string
  leadsTo: string
  why: string
  document: Document
}

/** Every table of decisions in the guide. Its document is the last one before it. */
function* readRows(): Generator<Row> {
  let document: Document | undefined
  for (const [part] of GUIDE.matchAll(
    /^```(?:json|http)\n[\s\S]*?^```$|^\| Scan \| Leads to \| Why \|\n(?:\|.*\n)+/gm,
  )) {
    if (part.startsWith('```')) {
      const json = JSON.parse(part.slice(part.indexOf('{', part.indexOf('\n{')), part.lastIndexOf('}') + 1))
      if ('rules' in json) document = Document.parse(json)
    } else {
      for (const row of part.trim().split('\n').slice(2)) {
        const [, scan = '', leadsTo = '', why = ''] = row.split('|').map((cell) => cell.trim())
        if (document !== undefined) yield { scan, leadsTo, why, document }
      }
    }
  }
}

const TIME = /^(\w{3}) (\d{4}-\d\d-\d\d) (\d\d:\d\d)(?: ([+-]\d\d:\d\d))?$/
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function parseTime(text: string, timeZone: string): string | undefined {
  const [, weekday, day, time, offset = ''] = TIME.exec(text) ?? []
  if (day === undefined) return undefined
  expect(WEEKDAYS[Temporal.PlainDate.from(day).dayOfWeek - 1], text).toBe(weekday)
  const zoned = Temporal.ZonedDateTime.from(`${day}T${time}${offset}[${timeZone}]`, {
    offset: 'reject',
    disambiguation: 'reject',
  })
  return zoned.toInstant().toString()
}

const pair = (text: string) => Object.fromEntries([text.split('=', 2)])

const READERS: Readonly<Record<string, (value: string) => ImaginedScan>> = {
  'scan number': (value) => ({ scan_number: Number(value) }),
  query: (value) => ({ query: pair(value) }),
  property: (value) => ({ properties: pair(value) }),
}

/** Such as `Mon 2026-11-16 08:00 · scan number 500 · via nfc`. */
function parseScan(text: string, timeZone: string): ImaginedScan {
  const facts = text.split(' · ').map((fact): ImaginedScan => {
    const at = parseTime(fact, timeZone)
    if (at !== undefined) return { at }
    const [, name = '', value = ''] = /^(scan number|\w+) (.+)$/.exec(fact) ?? []
    return READERS[name]?.(value) ?? { [name]: value }
  })
  return ImaginedScan.parse(Object.assign({}, ...facts))
}

const stored = ({ time_zone: timeZone, rules }: Document): StoredRules<unknown> => ({ version: 1, timeZone, rules })
const KNOWN = { atMs: Date.parse('2026-11-16T12:00:00Z'), salt: 'salt' }

const ROWS = [...readRows()]

test('the guide has sixty decisions, each of them once', () => {
  expect(ROWS).toHaveLength(60)
  expect(new Set(ROWS.map(({ scan, document }) => JSON.stringify([scan, document]))).size).toBe(60)
})

test('every rule of the guide decides somewhere, and in every document none does', () => {
  const documents = new Set(ROWS.map(({ document }) => document))
  for (const document of documents) {
    const decided = ROWS.filter((row) => row.document === document).map(({ leadsTo }) => leadsTo.split('`')[1] ?? null)
    expect(new Set(decided)).toEqual(new Set([...document.rules.map(({ id }) => id), null]))
  }
})

describe('a scan leads where the guide says', () => {
  test.each(ROWS)('$scan: $leadsTo', ({ scan, leadsTo, why, document }) => {
    const { decision, sentence } = explain(stored(document), factsOf(parseScan(scan, document.time_zone), KNOWN))
    const { ruleId, variant } = decision ?? {}
    expect(decision === undefined ? 'own destination' : `\`${ruleId}\`${variant == null ? '' : ` ${variant}`}`).toBe(
      leadsTo,
    )
    expect(sentence).toBe(why)
  })
})

test('the examples of the guide come out as they expect', () => {
  const documents = [...new Set(ROWS.map(({ document }) => document))].filter(
    ({ examples = [] }) => examples.length > 0,
  )
  expect(documents.length).toBeGreaterThan(0)
  for (const document of documents)
    expect(findFailedExample(stored(document), document.examples ?? [], KNOWN)).toBeUndefined()
})
