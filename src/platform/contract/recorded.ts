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

/** Whether a value of this schema has something that is marked. */
export function holdsRecorded(schema: z.core.$ZodType): boolean {
  if (RECORDED.has(schema)) return true
  if (schema instanceof z.ZodObject) return Object.values(schema.shape).some(holdsRecorded)
  if (schema instanceof z.ZodArray) return holdsRecorded(schema.element)
  if (schema instanceof z.ZodUnion) return schema.options.some(holdsRecorded)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return holdsRecorded(schema.unwrap())
  return false
}
