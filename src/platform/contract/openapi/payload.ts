import { z } from 'zod'
import { adjust } from './adjust.ts'
import { Components } from './components.ts'
import type { Json } from './json.ts'
import { toSchema } from './schemas.ts'

/** Returns a self-contained JSON Schema of a payload, and a sample that matches it. */
export function describePayload(payload: z.ZodType): { schema: Json; sample: Json } {
  const components = new Components()
  const sample = components.exampleOf(toSchema(components, payload, 'output')) as Json
  return { schema: adjust(z.toJSONSchema(payload), 'output'), sample }
}
