import type { Condition } from './contract.ts'
import { cut, type Kind, listedOrAbsent } from './kind.ts'
import { known } from './ternary.ts'

export const query: Kind<NonNullable<Condition['query']>> = {
  compile({ key, is, exists }) {
    if (is === undefined) return ({ query }) => known(Object.hasOwn(query, key) === exists)
    return ({ query }) => known(Object.hasOwn(query, key) && query[key] === is)
  },
  see({ query }, { key }) {
    const saw = Object.hasOwn(query, key) ? cut(query[key] ?? '') : null
    return { saw, clause: saw === null ? `the address had no ${key}` : `the address had ${key}=${saw}` }
  },
  asks({ key, is, exists }) {
    if (is !== undefined) return `${key}=${cut(is)}`
    return exists ? `any ${key}` : `no ${key}`
  },
}

export const lot = listedOrAbsent({
  of: (facts) => facts.lot,
  clause: (name) => `the lot was ${name}`,
  none: 'the address had no lot',
})

export const serial = listedOrAbsent({
  of: (facts) => facts.serial,
  clause: (name) => `the serial number was ${name}`,
  none: 'the address had no serial number',
})

export const domain = listedOrAbsent({
  of: (facts) => facts.domain,
  clause: (name) => `the domain was ${name}`,
  none: 'the address had no custom domain',
})

export const via = listedOrAbsent({
  of: (facts) => facts.via,
  clause: (name) => `the scan came via ${name}`,
  none: '',
})
