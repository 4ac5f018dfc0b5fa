import { deliverableEvents } from '../src/api/families.ts'
import { describePayload } from '../src/platform/contract/openapi/index.ts'
import type { EventCatalogue } from '../src/platform/outbox/index.ts'

interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** docs/events.md, from the catalogue of every family. */
export const eventsPage =
  (): string => `<!-- Made by scripts/generate.ts from the events of the families. Change those, and run it again. -->

# Events

What an endpoint can be told of. The body of a delivery is the payload alone; the type of the event is in the header
\`X-Service-Event\`. A payload is the resource as its GET answers it, so that one schema serves both; \`changes\` of an
\`.updated\` event has each field that changed, with what it was and is. A payload may gain fields at any time.

No payload is over 256 KiB. A change that would make it longer is told without its values:
\`{"from": null, "to": null, "omitted": true}\`. Ask for the resource then.

\`GET /v1/event-types\` answers all this too, with a JSON Schema of each payload.

${Object.keys(deliverableEvents)
  .map((type) => linkTo(type))
  .join('\n')}

${Object.entries(deliverableEvents).map(section).join('\n')}`

const linkTo = (type: string): string => `- [\`${type}\`](#${type.replaceAll('.', '')})`

function section([type, { description, payload }]: [string, EventCatalogue[string]]): string {
  const { schema, sample } = describePayload(payload)
  return `## ${type}

${description}

| Field | Type | What it is |
|---|---|---|
${rowsOf(schema, (schema as Schema).$defs ?? {}, '').join('\n')}

\`\`\`json
${JSON.stringify(sample, null, 2)}
\`\`\`
`
}

/** A row for each field; those of an object within follow it, under its name. */
function rowsOf(schema: Schema, shared: Record<string, Schema>, prefix: string): string[] {
  const { properties = {} } = resolve(schema, shared)
  return Object.entries(properties).flatMap(([name, field]) => {
    const found = resolve(field, shared)
    const path = `${prefix}${name}`
    const inner = found.items === undefined ? found : resolve(found.items, shared)
    const within = rowsOf(inner, shared, found.items === undefined ? `${path}.` : `${path}[].`)
    return [`| \`${path}\` | ${typeOf(found, shared)} | ${field.description ?? found.description ?? ''} |`, ...within]
  })
}

const resolve = (schema: Schema, shared: Record<string, Schema>): Schema =>
  (schema.$ref === undefined ? undefined : shared[schema.$ref.slice('#/$defs/'.length)]) ?? schema

function typeOf(schema: Schema, shared: Record<string, Schema>): string {
  const { const: value, enum: values, anyOf, format, items } = schema
  if (value !== undefined) return `\`${JSON.stringify(value)}\``
  if (values !== undefined) return values.map((one) => `\`${JSON.stringify(one)}\``).join(', ')
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(resolve(one, shared), shared)).join(' or ')
  if (items !== undefined) return `array of ${typeOf(resolve(items, shared), shared)}`
  const [type = 'anything', ...more] = [schema.type ?? []].flat()
  return [format ?? type, ...more].join(' or ')
}
