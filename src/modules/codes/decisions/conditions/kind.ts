import type { ZonedClock } from '../../../../platform/clock/zoned-time.ts'
import type { Facts } from '../facts.ts'
import { known, type Test, UNKNOWN } from './ternary.ts'

/** One kind of test, such as `country`. */
export interface Kind<Value> {
  compile(value: Value, clock: ZonedClock): Test<Facts>
  /** The fact that it looks at. */
  see(facts: Facts, value: Value, clock: ZonedClock): Seen
  /** Completes "the condition asks for". */
  asks(value: Value): string
}

export interface Seen {
  /** Null if it is unknown, or if there is none. */
  saw: string | null
  /** The beginning of a sentence, in lower case. */
  clause: string
}

const lists = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const SHOWN_MAX = 6

/** `a, b or c`. Of a long list only the beginning. */
export const eitherOf = (names: readonly string[]): string =>
  names.length <= SHOWN_MAX
    ? lists.format(names)
    : `${names.slice(0, SHOWN_MAX - 1).join(', ')} or one of ${names.length - SHOWN_MAX + 1} others`

const CUT_LENGTH = 100

/** A value of any length that a sentence can show. */
export const cut = (value: string): string =>
  value.length <= CUT_LENGTH ? value : `${value.slice(0, CUT_LENGTH).toWellFormed()}…`

interface Listed {
  /** Null if it is unknown. */
  of: (facts: Facts) => string | null
  /** Values that are the same have the same form. */
  normalise?: (value: string) => string
  name?: (value: string) => string
  /** What is said about a value, and if there is none. */
  clause: (name: string) => string
  none: string
}

/** A kind that compares a fact about the visitor with a list. */
export const listedOrUnknown = ({ of, normalise = asIs, name = asIs, clause, none }: Listed): Kind<string[]> => ({
  compile(values) {
    const wanted = new Set(values.map(normalise))
    return (facts) => {
      const value = of(facts)
      return value === null ? UNKNOWN : known(wanted.has(normalise(value)))
    }
  },
  ...inWords({ of, name, clause, none }),
})

/** A kind that compares a part of the scanned address with a list. A part that the address does not have is not in the list. */
export const listedOrAbsent = ({ of, name = asIs, clause, none }: Omit<Listed, 'normalise'>): Kind<string[]> => ({
  compile(values) {
    const wanted = new Set(values)
    return (facts) => {
      const value = of(facts)
      return known(value !== null && wanted.has(value))
    }
  },
  ...inWords({ of, name, clause, none }),
})

const inWords = ({ of, name, clause, none }: Required<Omit<Listed, 'normalise'>>) => ({
  see(facts: Facts): Seen {
    const value = of(facts)
    return value === null ? { saw: null, clause: none } : { saw: cut(value), clause: clause(cut(name(value))) }
  },
  asks: (values: string[]): string => eitherOf(values.map(name)),
})

const asIs = (value: string): string => value
