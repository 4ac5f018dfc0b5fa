import { z } from 'zod'
import type { Declaration } from '../../contract/operation.ts'

/** Every resource has these, and no request sets them. */
const OF_EVERY_RESOURCE = ['object', 'id', 'created_at', 'updated_at']

/** Tells whether a field that a request must not have is one of the resource it is about. */
export function readOnlyFields({ created, ok, offset }: Declaration) {
  const response = created ?? ok ?? offset
  return (path: readonly PropertyKey[], key: string): boolean => {
    if (response === undefined) return false
    const isEntry = typeof path[1] === 'number' && !(String(path[0]) in response.shape)
    // A list in the request can be one of resources, such as the items of a batch or the links of a product.
    const record = isEntry ? shapeAt(offset ?? response.shape.data, path.slice(2)) : shapeAt(response, path)
    return (isEntry && OF_EVERY_RESOURCE.includes(key)) || (record !== undefined && Object.hasOwn(record, key))
  }
}

function shapeAt(schema: unknown, path: readonly PropertyKey[]): object | undefined {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray) return shapeAt(inner.element, typeof path[0] === 'number' ? path.slice(1) : path)
  // The options of a union have the same fields, except in what tells them apart.
  if (inner instanceof z.ZodUnion) return shapeAt(inner.options[0], path)
  if (!(inner instanceof z.ZodObject)) return undefined
  const [step, ...rest] = path
  return step === undefined ? inner.shape : shapeAt(inner.shape[String(step)], rest)
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? unwrap(schema.unwrap())
    : schema
}
