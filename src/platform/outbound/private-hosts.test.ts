import { expect, test } from 'vitest'
import { isListedAddress, readPrivateHosts } from './private-hosts.ts'
import { PRIVATE_ADDRESSES } from './testing/hostile-urls.ts'

const OWN = ['127.0.0.1', '10.0.0.5', 'fd12::5']
const read = (...pairs: string[]) => readPrivateHosts(pairs, OWN)

test('reads names with addresses and ranges, and joins those of the same name', () => {
  expect(
    read('hooks.acme.internal=10.1.2.3', 'ERP.acme.com.=10.0.0.0/8', 'erp.acme.com = fd12::/48', 'bücher.lan=10.0.0.1'),
  ).toEqual([
    { name: 'hooks.acme.internal', ranges: ['10.1.2.3'] },
    { name: 'erp.acme.com', ranges: ['10.0.0.0/8', 'fd12::/48'] },
    { name: 'xn--bcher-kva.lan', ranges: ['10.0.0.1'] },
  ])
})

test.each([
  ...['hooks.acme.internal', 'hooks.acme.internal=', '=10.1.2.3', 'a.acme.com=10.0.0.1=10.0.0.2'],
  ...['10.1.2.3=10.1.2.3', '0x7f.1=10.1.2.3', '[fd00::1]=fd00::1', 'erp=10.1.2.3', '*.acme.com=10.1.2.3'],
  ...['localhost=10.1.2.3', 'a.localhost=10.1.2.3', 'localhost.localdomain=10.1.2.3', 'a b.com=10.1.2.3'],
])('refuses %s: only full names of hosts can be listed', (pair) => {
  expect(() => read(pair)).toThrow(/must be/)
})

test.each([
  ...['127.0.0.1', '127.0.0.0/8', '0.0.0.0', '0.0.0.0/0', '169.254.169.254', '169.254.0.0/16', '168.63.129.16'],
  ...['8.8.8.8', '8.0.0.0/6', '10.0.0.0/7', '172.16.0.0/11', '192.168.0.0/15', '224.0.0.1', '255.255.255.255'],
  ...['::1', '::/0', 'fe80::1', 'fe80::/10', 'ff02::1', 'fc00::/6', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3'],
  ...['10.0.0.5', 'fd12::5', 'fd12:0::5', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'],
])('refuses the address %s: of this machine, of its platform, or not in a private network', (range) => {
  expect(() => read(`hooks.acme.internal=${range}`)).toThrow(/ is not allowed, because /)
})

test.each(['10.1.2', '10.1.2.3/33', '10.1.2.3/-1', '10.1.2.3/8/8', '10.1.2.3/', 'fd00::/129', 'fd00::1%eth0', 'x'])(
  'refuses %s, which is neither an address nor a range',
  (range) => {
    expect(() => read(`hooks.acme.internal=${range}`)).toThrow(/must be an address such as/)
  },
)

test('reaches a host at its listed addresses only, and never at this machine or where clouds serve credentials', () => {
  const [host] = read(
    'hooks.acme.internal=10.0.0.0/30',
    'hooks.acme.internal=100.64.0.0/10',
    'hooks.acme.internal=fc00::/7',
  )
  const listed = (address: string) => isListedAddress(host!, address, OWN)
  expect(['10.0.0.0', '10.0.0.3', '100.64.0.1', 'fd12::6'].filter((address) => !listed(address))).toEqual([])
  const refused = ['10.0.0.4', '10.0.0.5', '192.168.1.1', '8.8.8.8', '100.100.100.200', 'fd12::5', 'fd12:0:0::5']
  expect([...refused, 'fd00:ec2::254', '::ffff:10.0.0.1', 'x', ''].filter(listed)).toEqual([])
  const others = PRIVATE_ADDRESSES.filter((address) => !/^(10\.0\.0\.0$|100\.(64|127)\.|f[cd])/.test(address))
  expect(others.filter(listed)).toEqual([])
})
