import type { Condition } from './contract.ts'
import { cut, type Kind } from './kind.ts'
import { known, UNKNOWN } from './ternary.ts'

export const property: Kind<NonNullable<Condition['property']>> = {
  compile({ key, is }) {
    return (facts) => {
      const value = facts.property(key)
      return value === undefined ? UNKNOWN : known(value === is)
    }
  },
  see(facts, { key }) {
    const value = facts.property(key)
    if (value === undefined) return { saw: null, clause: `the property ${key} is unknown` }
    if (value === null) return { saw: null, clause: `there was no property ${key}` }
    return { saw: cut(value), clause: `the property ${key} was ${cut(value)}` }
  },
  asks: ({ is }) => cut(is),
}

export const scanNumber: Kind<NonNullable<Condition['scan_number']>> = {
  compile({ of, from = 1, to = Number.POSITIVE_INFINITY }) {
    return (facts) => {
      const number = facts.scanNumber(of)
      return number === undefined ? UNKNOWN : known(from <= number && number <= to)
    }
  },
  see(facts, { of }) {
    const number = facts.scanNumber(of)
    if (number === undefined) return { saw: null, clause: `the number of the scan of the ${of} is unknown` }
    return { saw: String(number), clause: `it was scan ${number} of the ${of}` }
  },
  asks({ from, to }) {
    if (to === undefined) return `scan ${from} or later`
    return from === undefined || from === 1 ? `one of the first ${to}` : `scan ${from} to ${to}`
  },
}
