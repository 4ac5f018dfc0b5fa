import { z } from 'zod'

/** Tools that show an OpenAPI document look for the meaning of an enum's values under this name. */
export const VALUE_DESCRIPTIONS = 'x-enumDescriptions'

/** One of several values, each with its meaning: `choice({ asc: 'Oldest first.', desc: 'Newest first.' })`. */
export function choice<const Values extends Readonly<Record<string, string>>>(values: Values) {
  const names = Object.keys(values) as (keyof Values & string)[]
  return z.enum(names).meta(explained(values))
}

/** Adds the meaning of its values to an enum that is declared elsewhere. */
export const explained = (values: Readonly<Record<string, string>>) => ({ [VALUE_DESCRIPTIONS]: values })
