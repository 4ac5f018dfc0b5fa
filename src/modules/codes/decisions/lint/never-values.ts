import { preferredLanguage } from '../../../../platform/text/negotiate-language.ts'
import type { KindName, ValueOf } from '../conditions/index.ts'

type ValuesOf = <Name extends KindName>(kind: Name) => ValueOf<Name>[]

const LISTED = ['device', 'os', 'country', 'region', 'domain', 'lot', 'serial', 'via'] as const

/** Lists of which no value is in all. */
export function whyNeverListed(valuesOf: ValuesOf): string | undefined {
  for (const kind of LISTED) {
    // In some kinds case matters. There it may hide a contradiction, but never make one up.
    const [first, ...others] = valuesOf(kind).map((list) => new Set(list.map((value) => value.toLowerCase())))
    if (first !== undefined && others.reduce((left, list) => left.intersection(list), first).size === 0) {
      return `no ${kind} is in all of its lists`
    }
  }
  return undefined
}

/** Lists of languages that no browser can prefer together. */
export function whyNeverLanguage(lists: readonly (readonly string[])[]): string | undefined {
  const [first, ...others] = lists.map((tags) => new Set(tags.flatMap(namesOf)))
  return others.some((names) => first?.isDisjointFrom(names)) ? 'no language is in all of its lists' : undefined
}

const namesOf = (tag: string): string[] => [...(preferredLanguage(tag)?.names ?? [])]

/** Tests of a parameter or property that has one value. */
export function whyNeverEqual(valuesOf: ValuesOf): string | undefined {
  const [parameter] = excludingPairs(valuesOf('query'), (one, other) => {
    if (one.is !== undefined && other.is !== undefined) return one.is !== other.is
    return (one.exists === false) !== (other.exists === false)
  })
  if (parameter !== undefined) return `it tests the parameter ${parameter.key} for different values`
  const [property] = excludingPairs(valuesOf('property'), (one, other) => one.is !== other.is)
  return property === undefined ? undefined : `it tests the property ${property.key} for different values`
}

const excludingPairs = <Value extends { key: string }>(
  values: readonly Value[],
  exclude: (one: Value, other: Value) => boolean,
): Value[] => values.filter((one) => values.some((other) => one.key === other.key && exclude(one, other)))

/** Ranges of numbers that have none in common. */
export function whyNeverNumbered(ranges: readonly ValueOf<'scan_number'>[]): string | undefined {
  const isEmpty = (of: 'code' | 'object') => {
    const same = ranges.filter((range) => range.of === of)
    const from = Math.max(...same.map((range) => range.from ?? 1))
    return from > Math.min(...same.map((range) => range.to ?? Number.POSITIVE_INFINITY))
  }
  return isEmpty('code') || isEmpty('object') ? 'no scan has a number in all of its ranges' : undefined
}
