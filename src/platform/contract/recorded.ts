import { z } from 'zod'

const RECORDED = new WeakSet<z.core.$ZodType>()

/**
 * Marks what follows from scans and views, such as a counter: they are stored a moment after they were recorded, and
 * operations that return it wait for that.
 */
export function recorded<Schema extends z.ZodType>(schema: Schema): Schema {
  RECORDED.add(schema)
  return schema
}

/** Whether a value of this schema has something that is marked. `seen` ends the search in schemas that contain themselves. */
export function holdsRecorded(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): boolean {
  if (RECORDED.has(schema)) return true
  if (seen.has(schema)) return false
  seen.add(schema)
  const holds = (inner: z.core.$ZodType) => holdsRecorded(inner, seen)
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(holds)
  if (schema instanceof z.ZodArray) return holds(schema.element)
  if (schema instanceof z.ZodUnion) return schema.options.some(holds)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return holds(schema.unwrap())
  return false
}
