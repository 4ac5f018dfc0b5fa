/**
 * Returns the block of addresses that one client can choose from: an IPv4 address, or the first 64 bits of an IPv6
 * address. Limits per client count blocks, because one IPv6 customer has 2^64 addresses.
 */
export function addressBlock(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    const afterLength = after.length + (tail.includes('.') ? 1 : 0)
    groups.push(...Array(Math.max(0, 8 - groups.length - afterLength)).fill('0'), ...after)
  }
  const first = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${first.join(':')}::/64`
}
