import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OperatorError } from '../../../../platform/errors/operator-error.ts'
import { buildMmdb } from '../../../../testing/world/mmdb.ts'
import { createLocator } from './location.ts'

const LONDON = {
  city: { names: { de: 'London (Stadt)', en: 'London' } },
  country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
  subdivisions: [{ iso_code: 'ENG', names: { en: 'England' } }, { names: { en: 'Greater London' } }],
}
const GERMANY = { country: { iso_code: 'DE' } }
const NOWHERE = { country: null, region: null, city: null }

let folder: string
let geoipFile: string
const write = async (name: string, content: Buffer | string): Promise<string> => {
  const file = join(folder, name)
  await writeFile(file, content)
  return file
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-location-'))
  const networks = {
    '192.0.2.0/24': LONDON,
    '2001:db8::/32': LONDON,
    '198.51.100.128/25': GERMANY,
    '203.0.113.7/32': { city: { geoname_id: 1 }, country: { iso_code: 'FR' } },
  }
  geoipFile = await write('city.mmdb', buildMmdb(networks))
})
afterAll(() => rm(folder, { recursive: true }))

test('without settings every location is unknown, and the address is not determined', async () => {
  const locate = await createLocator({})
  const address = () => {
    throw new Error('The address was determined.')
  }
  expect(locate({ 'cf-ipcountry': 'GB' }, address)).toEqual(NOWHERE)
})

test.each([
  ['GB', 'GB'],
  ['gb', 'GB'],
  ['XX', null],
  ['xx', null],
  ['T1', null],
  ['', null],
  ['GBR', null],
  ['G', null],
  ['G1', null],
  ['GB\n', null],
  ['ÄÖ', null],
  [['GB', 'FR'], null],
  [undefined, null],
])('the header %j means the country %j, without determining the address', async (value, country) => {
  const locate = await createLocator({ countryHeader: 'CF-IPCountry' })
  const address = () => {
    throw new Error('The address was determined.')
  }
  expect(locate({ 'cf-ipcountry': value }, address)).toEqual({ ...NOWHERE, country })
})

test.each([
  ['192.0.2.0', { country: 'GB', region: 'England', city: 'London' }],
  ['192.0.2.255', { country: 'GB', region: 'England', city: 'London' }],
  ['::ffff:192.0.2.1', { country: 'GB', region: 'England', city: 'London' }],
  ['2001:db8:ffff::1', { country: 'GB', region: 'England', city: 'London' }],
  ['198.51.100.128', { country: 'DE', region: null, city: null }],
  ['203.0.113.7', { country: 'FR', region: null, city: null }],
  ['192.0.3.0', NOWHERE],
  ['198.51.100.127', NOWHERE],
  ['2001:db9::1', NOWHERE],
  ['::1', NOWHERE],
  ['127.0.0.1', NOWHERE],
  ['', NOWHERE],
  ['not an address', NOWHERE],
  ['192.0.2', NOWHERE],
])('the file locates %s in %j', async (address, location) => {
  const locate = await createLocator({ geoipFile })
  expect(locate({}, () => address)).toEqual(location)
})

test('the header takes precedence over the file, and a city in another country is left out', async () => {
  const locate = await createLocator({ countryHeader: 'cf-ipcountry', geoipFile })
  const at = (country: string) => locate({ 'cf-ipcountry': country }, () => '192.0.2.1')
  expect(at('GB')).toEqual({ country: 'GB', region: 'England', city: 'London' })
  expect(at('FR')).toEqual({ country: 'FR', region: null, city: null })
  expect(at('XX')).toEqual({ country: 'GB', region: 'England', city: 'London' })
  expect(locate({ 'cf-ipcountry': 'FR' }, () => '127.0.0.1')).toEqual({ country: 'FR', region: null, city: null })
})

test('a file with IPv4 networks only locates no IPv6 address', async () => {
  const file = await write('ipv4.mmdb', buildMmdb({ '32.0.0.0/8': LONDON }, 4))
  const locate = await createLocator({ geoipFile: file })
  expect(locate({}, () => '32.1.2.3').city).toBe('London')
  // Its first bits are those of 32.1.13.184.
  expect(locate({}, () => '2001:db8::1')).toEqual(NOWHERE)
})

test('a damaged record leaves the location unknown', async () => {
  const content = buildMmdb({ '192.0.2.0/24': LONDON })
  // Overwrites the type of the record's first value, after the tree and the key `city`, with one that does not exist.
  content.fill(0, content.indexOf('city') + 'city'.length, content.indexOf('names'))
  const locate = await createLocator({ geoipFile: await write('damaged.mmdb', content) })
  expect(locate({}, () => '192.0.2.1')).toEqual(NOWHERE)
})

test.each([
  ['does not exist', () => join(folder, 'missing.mmdb')],
  ['is a folder', () => folder],
  ['is empty', () => write('empty.mmdb', '')],
  ['is not a database', () => write('text.mmdb', 'This is not a database. '.repeat(100))],
  ['is still compressed', () => write('packed.mmdb', Buffer.from('1f8b0800000000000003', 'hex'))],
  ['is truncated', () => write('half.mmdb', buildMmdb({ '192.0.2.0/24': LONDON }).subarray(0, 500))],
])('reports a file that %s to the operator, with the name of the setting', async (_, make) => {
  const file = await make()
  const opened = createLocator({ geoipFile: file })
  await expect(opened).rejects.toThrow(OperatorError)
  await expect(opened).rejects.toThrow(`GEOIP_FILE: ${file} cannot be read as a MaxMind database`)
})
