type Params = readonly (readonly [key: string, value: string])[]

/**
 * The address with these parameters added. On equal keys a later layer overrides the earlier ones and the
 * address's own; the rest of its query is left as it was written, and so is its fragment.
 */
export function addParams(address: string, layers: readonly Params[]): string {
  const given = layers.filter((layer) => layer.length > 0)
  if (given.length === 0) return address
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? []
  let own = query === '' ? [] : query.split('&')
  let added: Params = []
  for (const layer of given) {
    const keys = new Set(layer.map(([key]) => key))
    own = own.filter((part) => !keys.has(keyOf(part)))
    added = [...added.filter(([key]) => !keys.has(key)), ...layer]
  }
  const search = [...own, new URLSearchParams(added as [string, string][]).toString()].join('&')
  return `${path}?${search}${fragment}`
}

function keyOf(part: string): string {
  // It takes one question mark off; any other is the key's own.
  for (const [key] of new URLSearchParams(`?${part}`)) return key
  return ''
}
