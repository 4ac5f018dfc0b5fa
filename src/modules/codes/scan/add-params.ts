type Params = readonly (readonly [key: string, value: string])[]

/**
 * Adds query parameters to an address. On equal keys a later layer overrides earlier ones and the address's own query.
 * The visitor's parameters override the layers, but not the address's own: a visitor must not change its `?next=`.
 * The rest of the query and the fragment stay exactly as they were written.
 */
export function addParams(address: string, layers: readonly Params[], visitor: Params): string {
  if (visitor.length === 0 && layers.every((layer) => layer.length === 0)) return address
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? []
  let own = query === '' ? [] : query.split('&').map((part) => ({ part, key: keyOf(part) }))
  const given = [...layers, withoutKeysOf(own, visitor)].filter((layer) => layer.length > 0)
  if (given.length === 0) return address
  let added: Params = []
  for (const layer of given) {
    const keys = new Set(layer.map(([key]) => key))
    own = own.filter(({ key }) => !keys.has(key))
    added = [...added.filter(([key]) => !keys.has(key)), ...layer]
  }
  const search = [...own.map(({ part }) => part), new URLSearchParams(added as [string, string][]).toString()].join('&')
  return `${path}?${search}${fragment}`
}

function withoutKeysOf(own: readonly { part: string; key: string }[], params: Params): Params {
  if (own.length === 0 || params.length === 0) return params
  // An empty part, as in `?a=1&&b=2`, is no parameter.
  const keys = new Set(own.filter(({ part }) => part !== '').map(({ key }) => key))
  return params.filter(([key]) => !keys.has(key))
}

function keyOf(part: string): string {
  // URLSearchParams strips one leading question mark. Without ours it would strip one that belongs to the key.
  for (const [key] of new URLSearchParams(`?${part}`)) return key
  return ''
}
