import { hash } from 'node:crypto'
import type { Facts } from './facts.ts'

export interface Variant<Destination> {
  key: string
  weight: number
  destination: Destination
}

/** 13 hexadecimal digits are 52 bits, which a number holds exactly. */
const DIGITS = 13
const BUCKETS = 16 ** DIGITS

/**
 * Where a visitor is between 0 and 1. It is the same for a rule as long as the visitor's hash is, and nobody without the salt
 * can tell it. The salt is a prefix, as in `hashVisitor`, because a part of the digest is used.
 */
export const bucketOf = (salt: string, visitor: string, ruleId: string): number =>
  Number.parseInt(hash('sha256', `${salt}\0${visitor}\0${ruleId}`).slice(0, DIGITS), 16) / BUCKETS

/** Returns how to choose the variant of a rule. A visitor who is unknown gets the first one that has a weight. */
export function chooser<Destination>(
  ruleId: string,
  variants: readonly Variant<Destination>[],
): (facts: Pick<Facts, 'salt' | 'visitor'>) => Variant<Destination> {
  const weighted = variants.filter(({ weight }) => weight > 0)
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  const [first] = weighted
  if (first === undefined) throw new Error(`no variant of rule ${ruleId} has a weight`)
  return ({ salt, visitor }) => {
    if (visitor === undefined) return first
    let left = bucketOf(salt, visitor, ruleId) * total
    for (const variant of weighted) {
      left -= variant.weight
      if (left < 0) return variant
    }
    return weighted.at(-1) ?? first
  }
}
