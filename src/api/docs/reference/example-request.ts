import type { DescribedOperation, Parameter } from './document.ts'
import type { ListedOperation } from './operations.ts'

/** A request that works when it is pasted into a shell, apart from ids. */
export function exampleRequest(
  { method, path }: ListedOperation,
  { requestBody }: DescribedOperation,
  parameters: readonly Parameter[],
  appUrl: string,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const example = parameters.find((each) => each.in === 'path' && each.name === name)?.schema.examples?.[0]
    return example === undefined ? placeholder : encodeURIComponent(String(example))
  })
  const query = parameters
    .filter((each) => each.in === 'query' && each.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(schema.examples?.[0] ?? ''))}`)
  const url = `"${appUrl}/v1${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url}`,
    '-H "Authorization: Bearer $WAYMARK_API_KEY"',
    ...bodyOf(requestBody),
  ]
  return lines.join(' \\\n  ')
}

function bodyOf(body: DescribedOperation['requestBody']): string[] {
  const [type, described] = Object.entries(body?.content ?? {})[0] ?? []
  if (type === undefined) return []
  if (type !== 'application/json') return [`-H 'Content-Type: ${type}'`, '--data-binary @file']
  const example = JSON.stringify(described?.example ?? {}, null, 2)
  return [`-H 'Content-Type: application/json'`, `-d '${example.replaceAll("'", `'\\''`).replaceAll('\n', '\n  ')}'`]
}
