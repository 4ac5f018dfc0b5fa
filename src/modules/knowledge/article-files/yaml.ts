import { Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { unstorable } from '../../../platform/http/validation.ts'
import type { Complain } from './complaints.ts'

export interface Parsed<Value> {
  value: Value
  /** In which line of the file something stands; of what is not there, where it would belong. */
  lineOf(path: readonly PropertyKey[]): number
}

/**
 * What the schema makes of a YAML text that begins in this line of its file; undefined when there was something to
 * complain of. All values are text or nothing, so that a title may be `1.0` or `true` without quotes.
 */
export function parseYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  firstLine: number,
  complain: Complain,
): Parsed<z.output<Schema>> | undefined {
  const lines = new LineCounter()
  const lineAt = (offset: number) => firstLine + lines.linePos(offset).line - 1
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      customTags: ['null'],
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'error',
    })
    const broken = [...document.errors, ...document.warnings]
    for (const { message, pos } of broken) complain(`It is not YAML as it should be: ${message}.`, lineAt(pos[0]))
    if (broken.length > 0) return undefined
    const lineOf = (path: readonly PropertyKey[]) => lineAt(findNode(document.contents, path)?.range?.[0] ?? 0)
    const value = applySchema(document.toJS(), schema, (path, complaint) => complain(complaint, lineOf(path)))
    return value === undefined ? undefined : { value, lineOf }
  } catch (error) {
    // Nested deeper than a stack can hold, or names that stand for each other beyond measure.
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error
    complain('It is not YAML as it should be: it is nested too deeply.', firstLine)
    return undefined
  }
}

/** As far as the path leads: to the name of what it ends at, or to what it would belong to. */
function findNode(contents: unknown, path: readonly PropertyKey[]): Node | undefined {
  let found = isNode(contents) ? contents : undefined
  let inner: unknown = contents
  for (const step of path) {
    const pair = isMap(inner) ? inner.items.find(({ key }) => isScalar(key) && key.value === step) : undefined
    const next = isSeq(inner) ? inner.items[Number(step)] : pair?.key
    if (!isNode(next)) return found
    found = next
    inner = pair === undefined ? next : pair.value
  }
  return found
}

type ComplainOf = (path: readonly PropertyKey[], complaint: string) => void

function applySchema<Schema extends z.ZodType>(value: unknown, schema: Schema, complain: ComplainOf) {
  const refused = unstorable(value)
  if (refused !== undefined) {
    complain([refused.field], `${refused.complaint}.`)
    return undefined
  }
  const parsed = schema.safeParse(value, { error: describeIssue })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) complain([...issue.path, key], `${key}: There is no such key.`)
    } else {
      const name = issue.path.findLast((step) => typeof step === 'string')
      complain(issue.path, `${name === undefined ? '' : `${String(name)}: `}${issue.message}.`)
    }
  }
  return undefined
}

const KINDS: Record<string, string> = {
  string: 'Must be text',
  array: 'Must be a list',
  object: 'Must be names with their values, such as title: Oiling',
}

const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'Required' : KINDS[issue.expected]
  return issue.code === 'invalid_value' ? `Must be one of ${issue.values.join(', ')}` : undefined
}

/** Lists of words stay on one line. Whatever an older reader of YAML would not take for text is in quotes. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { compat: 'yaml-1.1' })
  visit(document, {
    Seq: (key, list) => {
      if (key === 'value') list.flow = true
    },
  })
  return document.toString({ lineWidth: 0, blockQuote: false, nullStr: '', flowCollectionPadding: false })
}
