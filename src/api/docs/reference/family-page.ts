import { type Html, html } from '../../../platform/text/html.ts'
import { frame, renderPage } from '../layout.ts'
import { type ApiDocument, type DescribedOperation, nameOf, resolve, type Schema } from './document.ts'
import { exampleRequest } from './example-request.ts'
import {
  familyPath,
  type ListedFamily,
  type ListedOperation,
  type ReferenceGroup,
  VIEWER_PAGE_PATH,
  viewerFragment,
} from './operations.ts'
import { familiesNav } from './overview-page.ts'
import { fieldsOf, fieldTable, type RenderText, typeOf } from './schema-table.ts'

export interface ReferenceSources {
  document: ApiDocument
  groups: readonly ReferenceGroup[]
  /** Where this installation is, for examples. */
  appUrl: string
  text: RenderText
}

/** All operations of a family, and every schema that they use. */
function familyPage(family: ListedFamily, sources: ReferenceSources): string {
  const { document, groups, text } = sources
  const described = family.operations.map((operation) => ({ operation, described: descriptionOf(operation, document) }))
  const schemas = schemasOf(
    described.map(({ described }) => described),
    document,
  )
  const main = html`<main id="content" tabindex="-1"><article class="prose reference"><h1>${family.title}</h1>
${text(family.about)}
${described.map((each) => operationSection(each.operation, each.described, sources))}
${schemas.map(([name, schema]) => schemaSection(name, schema, text))}</article></main>`
  const contents = html`<nav class="contents" aria-labelledby="contents"><div><h2 id="contents">On this page</h2><ul>${family.operations.map(
    ({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`,
  )}${schemas.map(([name]) => html`<li class="inner"><a href="#${name}">${name}</a></li>`)}</ul></div></nav>`
  return renderPage({
    title: `${family.title} – Waymark API reference`,
    description: family.about,
    current: 'reference',
    body: frame(familiesNav(groups, family.name), main, contents),
  })
}

export const familyPages = (sources: ReferenceSources): Map<string, string> =>
  new Map(
    sources.groups.flatMap(({ families }) =>
      families.map((family) => [familyPath(family.name), familyPage(family, sources)] as const),
    ),
  )

function descriptionOf({ method, path }: ListedOperation, { paths }: ApiDocument): DescribedOperation {
  const found = paths[path]?.[method.toLowerCase()]
  if (found === undefined) throw new Error(`the OpenAPI document has no ${method} ${path}`)
  return found
}

function operationSection(operation: ListedOperation, described: DescribedOperation, sources: ReferenceSources): Html {
  const { document, text } = sources
  const { id, method, path, summary, description } = operation
  const scope = described['x-required-scope']
  const parameters = (described.parameters ?? []).map((each) => resolve(each, document.components.parameters))
  const inPlaces = ['path', 'query', 'header'].map((place) => parameters.filter((each) => each.in === place))
  return html`<section id="${id}"><h2>${summary}</h2>
<p class="call"><code><b class="${method.toLowerCase()}">${method}</b> /v1${path}</code></p>
${description !== '' && text(description)}
${scope !== undefined && html`<p>Scope: <code>${scope}</code></p>`}
<p><a class="try" href="${VIEWER_PAGE_PATH}#${viewerFragment(operation)}" aria-label="Try it: ${summary}">Try it</a></p>
${inPlaces.map(
  (some, at) =>
    some.length > 0 &&
    fieldTable(
      ['Path parameter', 'Query parameter', 'Header'][at] ?? '',
      some.map(({ name, schema, required = false, description: about }) => ({
        name,
        schema,
        isRequired: required,
        description: about,
      })),
      text,
    ),
)}
${bodyOf(described, document, text)}
<h3>Example</h3>
<pre tabindex="0"><code class="language-sh">${exampleRequest(operation, described, parameters, sources.appUrl)}</code></pre>
${responsesOf(described, sources)}</section>
`
}

function bodyOf({ requestBody }: DescribedOperation, { components }: ApiDocument, text: RenderText): Html | false {
  if (requestBody === undefined) return false
  const json = requestBody.content['application/json']
  if (json === undefined)
    return html`<h3>Body</h3><p>The bytes of a file: ${Object.keys(requestBody.content).join(', ')}.</p>`
  const schema = json.schema.$ref === undefined ? json.schema : components.schemas[nameOf(json.schema.$ref)]
  if (schema?.properties === undefined) return html`<h3>Body</h3><p>${typeOf(json.schema)}</p>`
  return html`<h3>Body</h3>${fieldTable('Field', fieldsOf(schema), text)}`
}

/** Successful responses with what they contain, then errors. */
function responsesOf({ responses }: DescribedOperation, { document, text }: ReferenceSources): Html {
  const all = Object.entries(responses).map(([status, each]) => ({
    status,
    ...resolve(each, document.components.responses),
  }))
  const item = ({ status, description, content = {} }: (typeof all)[number], hasBody: boolean) => {
    const bodies = Object.entries(content).map(([type, { schema }]) =>
      type === 'application/json' ? typeOf(schema) : html`<code>${type}</code>`,
    )
    const list = bodies.reduce<Html | false>((before, each) => (before ? html`${before}, ${each}` : each), false)
    return html`<tr><th scope="row"><code>${status}</code></th><td>${text(description)}${hasBody && list && html`<p>${list}</p>`}</td></tr>`
  }
  return html`<h3>Responses</h3><table class="fields"><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${all.map(
    (each) => item(each, each.status.startsWith('2')),
  )}</tbody></table>`
}

function schemaSection(name: string, schema: Schema, text: RenderText): Html {
  const { description, examples, properties } = schema
  return html`<section id="${name}"><h2>${name}</h2>
${description !== undefined && text(description)}
${properties === undefined ? html`<p>${typeOf(schema)}</p>` : fieldTable('Field', fieldsOf(schema), text)}
${
  examples?.[0] !== undefined &&
  html`<details><summary>Example</summary><pre tabindex="0"><code class="language-json">${JSON.stringify(examples[0], null, 2)}</code></pre></details>`
}</section>
`
}

/** The schemas with a name that responses and bodies refer to, also through each other. */
function schemasOf(operations: readonly DescribedOperation[], { components }: ApiDocument): [string, Schema][] {
  const found = new Map<string, Schema>()
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const ref = '$ref' in part && typeof part.$ref === 'string' ? part.$ref : undefined
    const name = ref?.startsWith('#/components/schemas/') ? nameOf(ref) : undefined
    const schema = name === undefined ? undefined : components.schemas[name]
    if (name !== undefined && schema !== undefined && !found.has(name)) {
      found.set(name, schema)
      visit(schema)
    }
    for (const [key, value] of Object.entries(part)) {
      // A field can have any name, also one that means something in a schema.
      if (key === 'properties') for (const field of Object.values(value)) visit(field)
      else if (key !== 'examples' && key !== 'example') visit(value)
    }
  }
  for (const { requestBody, responses } of operations) {
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      // The table of the operation already has its fields.
      visit(schema.$ref === undefined ? schema : { ...components.schemas[nameOf(schema.$ref)] })
    }
    for (const [status, response] of Object.entries(responses)) if (status.startsWith('2')) visit(response)
  }
  return [...found]
}
