/** The parts of the OpenAPI document that the reference shows. */
export interface ApiDocument {
  tags: readonly { name: string; 'x-displayName': string; description: string }[]
  'x-tagGroups': readonly { name: string; tags: readonly string[] }[]
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    responses: Readonly<Record<string, DescribedResponse>>
    parameters: Readonly<Record<string, Parameter>>
  }
}

export interface DescribedOperation {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  security?: readonly object[]
  'x-required-scope'?: string
  parameters?: readonly (Parameter | Reference)[]
  requestBody?: { content: Content }
  responses: Readonly<Record<string, DescribedResponse | Reference>>
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface DescribedResponse {
  description: string
  content?: Content
}

type Content = Readonly<Record<string, { schema: Schema; example?: unknown }>>

interface Reference {
  $ref: string
}

export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  format?: string
  description?: string
  enum?: readonly unknown[]
  'x-enumDescriptions'?: Readonly<Record<string, string>>
  const?: unknown
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  examples?: readonly unknown[]
}

/** The last part of `#/components/schemas/QrCode`. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Finds what a reference to a response or parameter means. */
export function resolve<Part extends object>(part: Part | Reference, components: Readonly<Record<string, Part>>): Part {
  if (!('$ref' in part)) return part
  const found = components[nameOf(part.$ref)]
  if (found === undefined) throw new Error(`the OpenAPI document has no ${part.$ref}`)
  return found
}
