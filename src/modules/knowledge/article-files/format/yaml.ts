import { Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { describeIssue } from '../../../../platform/contract/describe-issue.ts'
import { unstorable } from '../../../../platform/http/pipeline/validation.ts'
import type { ReportProblem } from './problems.ts'

export interface Parsed<Value> {
  value: Value
  /** Returns the line of a value in the file; for a missing value, the line of its parent. */
  lineOf(path: readonly PropertyKey[]): number
}

/**
 * Parses YAML that begins on line `firstLine` of its file, and validates it with the schema. Reports problems and then
 * returns undefined. All scalars are strings or null, so that a title can be `1.0` or `true` without quotes.
 */
export function parseYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  firstLine: number,
  report: ReportProblem,
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
    for (const { message, pos } of broken) report(`Invalid YAML: ${message}.`, lineAt(pos[0]))
    if (broken.length > 0) return undefined
    const lineOf = (path: readonly PropertyKey[]) => lineAt(findNode(document.contents, path)?.range?.[0] ?? 0)
    const value = applySchema(document.toJS(), schema, (path, problem) => report(problem, lineOf(path)))
    return value === undefined ? undefined : { value, lineOf }
  } catch (error) {
    // Nesting that overflows the stack, or too many aliases.
    if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error
    report('Invalid YAML: nested too deeply.', firstLine)
    return undefined
  }
}

/** Returns the key node at the end of the path, or the last node that exists on it. */
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

type ReportAt = (path: readonly PropertyKey[], problem: string) => void

function applySchema<Schema extends z.ZodType>(value: unknown, schema: Schema, report: ReportAt) {
  const invalid = unstorable(value)
  if (invalid !== undefined) {
    report(invalid.path, `${invalid.problem}.`)
    return undefined
  }
  const parsed = schema.safeParse(value, { error: describeInYaml })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) report([...issue.path, key], `${key}: There is no such key.`)
    } else {
      const name = issue.path.findLast((step) => typeof step === 'string')
      report(issue.path, `${name === undefined ? '' : `${String(name)}: `}${issue.message}.`)
    }
  }
  return undefined
}

const TYPE_ERRORS: Record<string, string> = {
  string: 'Must be text',
  array: 'Must be a list',
  object: 'Must be keys with values, such as title: Oiling',
}

/** YAML has other words for types than JSON. */
const describeInYaml: z.core.$ZodErrorMap = (issue) => {
  const isOtherType = issue.code === 'invalid_type' && issue.input !== undefined
  return (isOtherType ? TYPE_ERRORS[issue.expected] : undefined) ?? describeIssue(issue)
}

/** Writes lists of words on one line, and quotes text that a YAML 1.1 reader would take for another type. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { compat: 'yaml-1.1' })
  visit(document, {
    Seq: (key, list) => {
      if (key === 'value') list.flow = true
    },
  })
  return document.toString({ lineWidth: 0, blockQuote: false, nullStr: '', flowCollectionPadding: false })
}
