import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RESERVED_WORDS } from '../../../../platform/contract/reserved-words.ts'
import { linkPath, parseDigitalLink } from '../digital-link.ts'
import { compressLink, decompressLink } from './compressed-link.ts'

const GTIN = '/01/05412345000013'

const plainOf = (path: string): string | undefined => {
  const found = decompressLink(path)
  if (found === undefined) return undefined
  const query = new URLSearchParams(found.query as [string, string][]).toString()
  return linkPath(found.link) + (query && `?${query}`)
}
const compress = (path: string, query: [string, string][] = []) =>
  compressLink(parseDigitalLink(path) ?? expect.fail(path), query)

/** Published by GS1 and by implementers of its toolkits (ADR 68). */
describe('published links', () => {
  test.each([
    ['/00/998440410914660971', '/AN2yxDhfaiaw'],
    [GTIN, '/AQnYUc1gmg'],
    [`${GTIN}/10/ABC123`, '/AQnYUc1gmiCNV4JG'],
    [`${GTIN}/10/ABC123/21/72292641703`, '/AQnYUc1gmiCNV4JGQhcNT6K6c'],
    [`${GTIN}/22/AJY3095721P49/10/ABC123/21/72292641703`, '/AQnYUc1gmiCNV4JGQhcNT6K6cibQCWN9Pee9tT-PQ'],
    [`${GTIN}/22/AJY3095721P49/10/ABC123`, '/AQnYUc1gmiCNV4JGRNoBLG-nvPe2p_Ho'],
    [`${GTIN}/22/AJY3095721P49/21/72292641703`, '/AQnYUc1gmkIXDU-iunIm0AljfT3nvbU_j0'],
    [`${GTIN}/22/AJY3095721P49`, '/AQnYUc1gmkTaASxvp7z3tqfx6'],
    [`${GTIN}/21/72292641703`, '/AQnYUc1gmkIXDU-iun'],
    [`${GTIN}/235/8TFV883a904GH%263`, '/AQnYUc1gmkax7ipGrOHDPC5YNI8hMz'],
    ['/01/09506000134376/10/LOT01', '/ARFKk4XB0CDKWcnpq'],
    ['/253/3060077601309', '/JTLIetaiHYA'],
    ['/255/5678409730535', '/JVUqG5hJ5wA'],
    ['/414/5060917510004', '/QUSaVjC_dA'],
    ['/414/5060917510004/7040/5KFX', '/QUSaVjC_dHBAVlCrg'],
    ['/8003/04965031954585', '/gAMJCAXukTMA'],
    ['/8004/0541234537290A41%26GHpp33', '/gASXYNWjFkzaNWbdk5YQWjFNHkcODNm'],
    ['/8010/0541234537290A41%23GH33/8011/6639047221', '/gBCVYNWjFkzaNWbdk5YQWjFHHkM2cAI0xdvpGo'],
    ['/8017/817019610850151481', '/gBe1ajAd9ATDk'],
    ['/8017/817019610850151481/8019/4003812', '/gBe1ajAd9ATDmAGXPRfk'],
    ['/8018/411369833821910265', '/gBhbV6rzBENPk'],
  ])('%s is %s', (plain, compressed) => {
    expect(plainOf(compressed)).toBe(plain)
    expect(plainOf(`${compressed}/`), 'with a slash at the end').toBe(plain)
    expect(compress(plain)).toBe(compressed)
  })

  test.each([
    ['/AQk0rGF-9iJ1rw4AhM', '/01/05060917510011?11=241016&7004=3'],
    // A code for a frequent sequence.
    ['/GgnYUc1gmo1Xgkbej3z7ptztxxpryCSjcNg', `${GTIN}/10/ABC123/21/R759025244015BJ?17=290331`],
    [`${GTIN}/EEarwSM`, `${GTIN}/10/ABC123`],
    [`${GTIN}/EEarwSMhC4an0V04`, `${GTIN}/10/ABC123/21/72292641703`],
    ['/8018/411369833821910265/gBlz0X5A', '/8018/411369833821910265/8019/4003812'],
    ['/414/5060917510004/cEBWUKu', '/414/5060917510004/7040/5KFX'],
  ])('%s is decompressed', (compressed, plain) => {
    expect(plainOf(compressed)).toBe(plain)
  })
})

test('a link with attributes keeps them', () => {
  const attributes: [string, string][] = [
    ['17', '290331'],
    ['3103', '000189'],
    ['3923', '2172'],
    ['7230', 'EM09/7'],
    ['8008', '26010112'],
  ]
  const compressed = compress(`${GTIN}/10/0012`, attributes)
  expect(plainOf(compressed)).toBe(`${GTIN}/10/0012?${new URLSearchParams(attributes)}`.replace('EM09/7', 'EM09%2F7'))
})

test.each([
  ['nothing', '/'],
  ['a word', '/account-settings'],
  ['a typing mistake', '/no-such-page'],
  ['a code with a letter too many', '/aB3dE5gHx'],
  ['a wrong check digit', '/AQnYUc1gmw'],
  ['a product that is cut off', '/AQnYUc1gm'],
  ['bits after the end', '/AQnYUc1gmiCNV4JH'],
  ['other characters', '/AQnYUc1gmg=='],
  ['two segments', '/AQnYUc1gmg/x'],
  ['the compressed form of a key after another key', `${GTIN}/AQnYUc1gmg`],
  ['a lot without a product', '/EEarwSM'],
  ['a malformed key in front', '/01/05412345000014/EEarwSM'],
  ['something long', `/${'AQnYUc1gmiCNV4JG'.repeat(100)}`],
])('%s is no compressed link', (_what, path) => {
  expect(decompressLink(path)).toBeUndefined()
})

test('no word of our own addresses is a compressed link', () => {
  for (const word of RESERVED_WORDS) expect(decompressLink(`/${word}`), word).toBeUndefined()
})

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))
const lot = fc.oneof(
  digits(1, 20),
  fc.stringMatching(/^[0-9a-f]{1,20}$/),
  fc.stringMatching(/^[0-9A-F]{1,20}$/),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
  fc.stringMatching(/^[!"%&'()*+,./:;<=>?A-Za-z0-9]{1,20}$/),
)

test('every link is what its compressed form is decompressed to', () => {
  fc.assert(
    fc.property(fc.option(lot), fc.option(lot), fc.option(lot), (cpv, batch, serial) => {
      const given = [
        ['22', cpv],
        ['10', batch],
        ['21', serial],
      ].filter((pair): pair is [string, string] => pair[1] !== null)
      const link = { key: '01', value: '05412345000013', qualifiers: given }
      expect(decompressLink(compressLink(link, []))).toEqual({ link, query: [] })
    }),
  )
})

test('never throws, and what it accepts is a valid link', () => {
  const text = fc.stringMatching(/^[A-Za-z0-9_-]{7,60}$/)
  const similar = fc.tuple(fc.constantFrom('AQnYUc1gm', 'CgnYUc1gm', 'gASX', 'JTLI', 'QUSaVjC', 'F', '-'), text)
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        similar.map((parts) => parts.join('')),
      ),
      (segment) => {
        const found = decompressLink(`/${segment}`)
        if (found !== undefined) expect(parseDigitalLink(linkPath(found.link))).toEqual(found.link)
      },
    ),
    { numRuns: 5000 },
  )
})
