import { expect, test } from 'vitest'
import type { DnsAnswer, RecordType } from '../../../platform/dns/index.ts'
import { checkRecords } from './check-records.ts'

const TARGETS = { a: ['192.0.2.10', '192.0.2.11'], aaaa: ['2001:DB8:0::10'], cname: 'go.waymark.example' }
const NAMES_ONLY = { a: [], aaaa: [], cname: 'go.waymark.example' }
const FAILED: DnsAnswer = { kind: 'failed', reason: 'ETIMEOUT' }
const TOKEN = { token: 'abc' }

type Zone = Record<string, string | DnsAnswer>

/** A resolver with these answers, by `name TYPE`. Several values are separated by spaces. */
const resolver = (zone: Zone) => ({
  lookUp: async (name: string, type: RecordType): Promise<DnsAnswer> => {
    const answer = zone[`${name} ${type}`]
    if (typeof answer === 'string') return { kind: 'found', values: answer.split(' ') }
    return answer ?? { kind: 'none' }
  },
})

const check = (domain: string, zone: Zone, targets = TARGETS) =>
  checkRecords(
    resolver({ [`_waymark-challenge.${domain} TXT`]: 'waymark-verify=abc', ...zone }),
    { domain, ...TOKEN },
    targets,
  )

const OURS = { 'go.waymark.example A': '192.0.2.77', 'go.waymark.example AAAA': '2001:db8::77' }
const POINTING: [name: string, domain: string, zone: Zone, kind: string, targets?: typeof TARGETS][] = [
  ['a CNAME to our host', 'id.acme.com', { 'id.acme.com CNAME': 'go.waymark.example' }, 'right'],
  [
    'a chain of CNAMEs to our host',
    'id.acme.com',
    { 'id.acme.com CNAME': 'a.cdn.example', 'a.cdn.example CNAME': 'go.waymark.example' },
    'right',
  ],
  [
    'a loop of CNAMEs',
    'id.acme.com',
    { 'id.acme.com CNAME': 'a.cdn.example', 'a.cdn.example CNAME': 'id.acme.com' },
    'wrong',
  ],
  ['a CNAME to another host', 'id.acme.com', { 'id.acme.com CNAME': 'shops.example' }, 'wrong'],
  ['nothing', 'id.acme.com', {}, 'wrong'],
  ['addresses of our host instead of its name', 'id.acme.com', { ...OURS, 'id.acme.com A': '192.0.2.77' }, 'right'],
  ['our configured addresses below an apex', 'id.acme.com', { 'id.acme.com A': '192.0.2.10' }, 'right'],
  ['one of our addresses', 'acme.com', { 'acme.com A': '192.0.2.11' }, 'right'],
  [
    'all our addresses',
    'acme.com',
    { 'acme.com A': '192.0.2.10 192.0.2.11', 'acme.com AAAA': '2001:db8::10' },
    'right',
  ],
  ['only our IPv6 address', 'acme.com', { 'acme.com AAAA': '2001:db8::10' }, 'right'],
  ['one address too many', 'acme.com', { 'acme.com A': '192.0.2.10 198.51.100.1' }, 'wrong'],
  [
    'an IPv6 address of somebody else',
    'acme.com',
    { 'acme.com A': '192.0.2.10', 'acme.com AAAA': '2001:db8::bad' },
    'wrong',
  ],
  [
    'a flattened CNAME at an apex',
    'acme.com',
    { ...OURS, 'acme.com A': '192.0.2.77', 'acme.com AAAA': '2001:db8::77' },
    'right',
  ],
  [
    'a flattened CNAME without configured addresses',
    'acme.com',
    { ...OURS, 'acme.com A': '192.0.2.77' },
    'right',
    NAMES_ONLY,
  ],
  [
    'a foreign address without configured addresses',
    'acme.com',
    { ...OURS, 'acme.com A': '198.51.100.1' },
    'wrong',
    NAMES_ONLY,
  ],
  ['no answer about IPv6', 'acme.com', { 'acme.com A': '192.0.2.10', 'acme.com AAAA': FAILED }, 'failed'],
  [
    'a foreign address and no answer about IPv6',
    'acme.com',
    { 'acme.com A': '198.51.100.1', 'acme.com AAAA': FAILED },
    'wrong',
  ],
  [
    'a foreign address while nobody knows ours',
    'acme.com',
    { 'acme.com A': '198.51.100.1', 'go.waymark.example A': FAILED },
    'failed',
  ],
  ['no answer about the CNAME and no address', 'id.acme.com', { 'id.acme.com CNAME': FAILED }, 'failed'],
  [
    'a chain whose end does not answer',
    'id.acme.com',
    { 'id.acme.com CNAME': 'a.cdn.example', 'a.cdn.example CNAME': FAILED, 'id.acme.com A': '198.51.100.1' },
    'failed',
  ],
]

test.each(POINTING)('%s (%s)', async (_name, domain, zone, kind, targets) => {
  const { outcome, checks } = await check(domain, zone, targets)
  expect(outcome.kind).toBe(kind)
  expect(checks.every(({ ok }) => ok)).toBe(kind === 'right')
})

test('says what was found beside what was expected', async () => {
  const { checks, outcome } = await check('acme.com', {
    '_waymark-challenge.acme.com TXT': 'other',
    'acme.com A': '192.0.2.10 198.51.100.1',
  })
  expect(checks).toEqual([
    { type: 'TXT', domain: '_waymark-challenge.acme.com', expected: 'waymark-verify=abc', found: ['other'], ok: false },
    {
      type: 'A',
      domain: 'acme.com',
      expected: '192.0.2.10, 192.0.2.11',
      found: ['192.0.2.10', '198.51.100.1'],
      ok: false,
    },
    { type: 'AAAA', domain: 'acme.com', expected: '2001:DB8:0::10', found: [], ok: false },
  ])
  expect(outcome).toEqual({
    kind: 'wrong',
    problem:
      'The TXT record at _waymark-challenge.acme.com is wrong. acme.com points to 198.51.100.1 instead of 192.0.2.10, 192.0.2.11, 2001:DB8:0::10.',
  })
})

test('the token must be the whole record, which may stand among others', async () => {
  const pointing = { 'id.acme.com CNAME': 'go.waymark.example' }
  const kindWith = async (txt: string | DnsAnswer) =>
    (await check('id.acme.com', { ...pointing, '_waymark-challenge.id.acme.com TXT': txt })).outcome.kind
  expect(await kindWith('v=spf1 waymark-verify=abc waymark-verify=other')).toBe('right')
  expect(await kindWith('waymark-verify=abcd')).toBe('wrong')
  expect(await kindWith('waymark-verify=ABC')).toBe('wrong')
  expect(await kindWith({ kind: 'none' })).toBe('wrong')
  expect(await kindWith(FAILED)).toBe('failed')
})

test('shows a limited part of what others store in DNS', async () => {
  const values = Array.from({ length: 50 }, (_, n) => `${n}${'x'.repeat(1000)}`).join(' ')
  const { checks } = await check('id.acme.com', { '_waymark-challenge.id.acme.com TXT': values })
  expect(checks[0]?.found).toHaveLength(10)
  expect(checks[0]?.found.every((value) => value.length <= 255)).toBe(true)
})
