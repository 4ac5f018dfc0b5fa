import { type Html, html } from '../../../platform/text/html.ts'
import { nameOf, type Schema } from './document.ts'

/** Renders a description, which is Markdown. */
export type RenderText = (markdown: string) => Html

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
  description?: string | undefined
}

/** A table of fields, with the fields of objects that have no name of their own. */
export const fieldTable = (label: string, fields: readonly Field[], text: RenderText): Html =>
  html`<table class="fields"><thead><tr><th scope="col">${label}</th><th scope="col">Description</th></tr></thead><tbody>${fields.map(
    (field) => row(field, text),
  )}</tbody></table>`

const row = ({ name, schema, isRequired, description }: Field, text: RenderText): Html =>
  html`<tr><th scope="row"><code>${name}</code> <span class="type">${typeOf(schema)}</span>${
    isRequired && html` <span class="required">required</span>`
  }</th><td>${detailsOf(schema, description, text)}</td></tr>`

/** The fields of an object; `items[].key` is a field of each item of a list. */
export function fieldsOf(schema: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([key, value]) => {
    const name = `${prefix}${key}`
    const inner = innerOf(value)
    const own = { name, schema: value, isRequired: required.includes(key) }
    return inner === undefined ? [own] : [own, ...fieldsOf(inner.schema, `${name}${inner.suffix}.`)]
  })
}

/** An object that is only described in this place. */
function innerOf(schema: Schema): { schema: Schema; suffix: string } | undefined {
  if (schema.properties) return { schema, suffix: '' }
  if (schema.items?.properties) return { schema: schema.items, suffix: '[]' }
  const only = schema.anyOf?.filter(({ type }) => type !== 'null')
  return only?.length === 1 && only[0] ? innerOf(only[0]) : undefined
}

/** What a value is, in words. A schema with a name links to its table on the same page. */
export function typeOf(schema: Schema): Html {
  const { $ref, type, format, items, anyOf = schema.oneOf, additionalProperties } = schema
  if ($ref !== undefined) return html`<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (anyOf !== undefined) return anyOf.map(typeOf).reduce((before, each) => html`${before} or ${each}`)
  if (items !== undefined) return html`list of ${typeOf(items)}${[type].flat().includes('null') && ' or null'}`
  if (typeof additionalProperties === 'object') return html`object of ${typeOf(additionalProperties)}`
  return html`${[type ?? 'any value'].flat().join(' or ')}${format !== undefined && ` (${format})`}`
}

function detailsOf(schema: Schema, description: string | undefined, text: RenderText): Html {
  const described = description ?? schema.description
  const limits = limitsOf(schema)
  return html`${described !== undefined && text(described)}${limits !== '' && html`<p class="limits">${limits}</p>`}${
    schema.default !== undefined && html`<p class="limits">Default: <code>${JSON.stringify(schema.default)}</code></p>`
  }${valuesOf(schema, text)}`
}

/** Each value of an enum with its meaning. */
function valuesOf(schema: Schema, text: RenderText): Html | false {
  const { enum: values, 'x-enumDescriptions': meanings = {} } =
    [schema, schema.items ?? {}, ...(schema.anyOf ?? [])].find((each) => each.enum !== undefined) ?? {}
  return (
    values !== undefined &&
    html`<ul class="values">${values.map((value) => {
      const meaning = meanings[String(value)]
      return html`<li><code>${String(value)}</code>${meaning !== undefined && html` ${text(meaning)}`}</li>`
    })}</ul>`
  )
}

const limitsOf = ({ minLength, maxLength, minimum, maximum, minItems, maxItems }: Schema): string =>
  [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    // The largest integer is no limit that anybody meets.
    range(minimum, maximum !== undefined && maximum > 1e12 ? undefined : maximum, ''),
  ]
    .filter((limit) => limit !== '')
    .join('; ')

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const written =
    max === undefined ? (min === undefined ? '' : `at least ${min}`) : min ? `${min} to ${max}` : `at most ${max}`
  return written === '' || unit === '' ? written : `${written} ${unit}`
}
