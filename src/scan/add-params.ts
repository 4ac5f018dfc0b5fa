type Params = readonly (readonly [key: string, value: string])[]

/**
 * Adds query parameters to an address. On equal keys a later layer overrides earlier ones and the address's own query.
 * The rest of the query and the fragment stay exactly as they were written.
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
  // URLSearchParams strips one leading question mark. Without ours it would strip one that belongs to the key.
  for (const [key] of new URLSearchParams(`?${part}`)) return key
  return ''
}
