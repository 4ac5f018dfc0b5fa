import { z } from 'zod'
import { VALUE_DESCRIPTIONS } from '../choice.ts'
import { adjust } from './adjust.ts'
import { Components } from './components.ts'
import type { Json } from './json.ts'
import { toSchema } from './schemas.ts'

/** Returns a self-contained JSON Schema of a payload, and a sample that matches it. */
export function describePayload(payload: z.ZodType): { schema: Json; sample: Json } {
  const components = new Components()
  const sample = components.exampleOf(toSchema(components, payload, 'output')) as Json
  return { schema: describeValues(adjust(z.toJSONSchema(payload), 'output')), sample }
}

/** Strict validators of JSON Schema refuse keywords that they do not know, so the meaning of values moves to the description. */
const describeValues = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema), (_key, node) => {
    if (node?.[VALUE_DESCRIPTIONS] === undefined) return node
    const { [VALUE_DESCRIPTIONS]: meanings, ...others } = node
    const sentences = Object.entries(meanings).map(([value, meaning]) => `\`${value}\`: ${meaning}`)
    return { ...others, description: [node.description, ...sentences].filter(Boolean).join(' ') }
  })
