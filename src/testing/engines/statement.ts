/** The parts of an SQL statement that decide whether it stays within one organisation. */
export interface StatementFacts {
  /** The tables that it reads, updates or deletes from. */
  tables: Set<string>
  /** The table that it inserts into, with the columns that it names. */
  insert: { table: string; columns: string[] } | undefined
  /** Whether a condition compares `org_id` with a value. */
  isScoped: boolean
  /** The statement on one line, with unquoted names and without comments and the contents of strings. */
  text: string
}

interface Token {
  kind: 'quoted' | 'word' | 'symbol'
  text: string
}

/** The state within one pair of parentheses. */
interface Level {
  /** Whether a comma introduces another table. */
  isTableList: boolean
  isCondition: boolean
  /** Whether `from` belongs to a function, as in `extract(year from created_at)`. */
  isFunctionWithFrom: boolean
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|"(?:[^"]|"")*"|[a-z_]\w*|\$\d+|[<>=!]+|\S/gi
const BEFORE_TABLE = new Set(['from', 'join', 'update', 'into', 'using'])
/** Words that may follow these keywords: `update or ignore t`, `from only t`. */
const FILLERS = new Set(['or', 'ignore', 'replace', 'abort', 'fail', 'rollback', 'only', 'lateral'])
const BEFORE_CONDITION = new Set(['where', 'on', 'having'])
const OTHER_CLAUSES = new Set(
  'select values set group order limit offset union except intersect returning window for default'.split(' '),
)
const FUNCTIONS_WITH_FROM = new Set(['extract', 'substring', 'trim', 'overlay'])
const TENANT = 'org_id'
/** A parameter, a string or an expression in parentheses. */
const VALUE = /^(?:\?|\$\d+|''|\()$/

/** Reads a statement of either engine. It is not a full parser: it only tracks clauses and parentheses. */
export function readStatement(sql: string): StatementFacts {
  const tokens = tokenise(sql)
  const textAt = (at: number): string => tokens[at]?.text ?? ''
  const tables = new Set<string>()
  let insert: StatementFacts['insert']
  let isScoped = false
  let expected: 'table' | 'insert' | undefined
  const levels: Level[] = [{ isTableList: false, isCondition: false, isFunctionWithFrom: false }]

  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at]!
    const level = levels.at(-1)!
    const keyword = kind === 'word' ? text : ''
    if (text === '(') {
      const isFunctionWithFrom = FUNCTIONS_WITH_FROM.has(textAt(at - 1))
      levels.push({ isTableList: expected === 'table', isCondition: level.isCondition, isFunctionWithFrom })
    } else if (kind === 'symbol') {
      if (text === ')' && levels.length > 1) levels.pop()
      expected = text === ',' && level.isTableList ? 'table' : undefined
    } else if (BEFORE_TABLE.has(keyword)) {
      if (keyword === 'from' && (level.isFunctionWithFrom || isDistinctFrom(tokens, at))) continue
      // Columns of a join: `join t using (id)`.
      if (keyword === 'using' && textAt(at + 1) === '(') continue
      expected = keyword === 'into' ? 'insert' : 'table'
      // In `from a join b on …, c` the list of tables continues after the join.
      level.isTableList = keyword === 'from' || keyword === 'using' || (keyword === 'join' && level.isTableList)
      level.isCondition = false
    } else if (BEFORE_CONDITION.has(keyword) || OTHER_CLAUSES.has(keyword)) {
      expected = undefined
      level.isTableList &&= keyword === 'on'
      level.isCondition = BEFORE_CONDITION.has(keyword)
    } else if (expected !== undefined && !FILLERS.has(keyword)) {
      // The name of a schema: the table follows.
      if (textAt(at + 1) === '.') at++
      else {
        if (expected === 'table') tables.add(text)
        else insert = { table: text, columns: columnsAfter(tokens, at) }
        expected = undefined
      }
    } else if (text === TENANT && level.isCondition) isScoped ||= isCompared(tokens, at)
  }
  return { tables, insert, isScoped, text: toText(tokens) }
}

function tokenise(sql: string): Token[] {
  const tokens: Token[] = []
  for (const [text] of sql.matchAll(TOKEN)) {
    if (text.startsWith('--') || text.startsWith('/*')) continue
    if (text.startsWith('"')) tokens.push({ kind: 'quoted', text: text.slice(1, -1) })
    else if (/^[a-z_]/i.test(text)) tokens.push({ kind: 'word', text: text.toLowerCase() })
    else tokens.push({ kind: 'symbol', text: /^(?:'|\$\D)/.test(text) ? "''" : text })
  }
  return tokens
}

/** Whether this `from` compares two values, as in `a is not distinct from b`. */
const isDistinctFrom = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.text === 'distinct' && ['is', 'not'].includes(tokens[at - 2]?.text ?? '')

function columnsAfter(tokens: readonly Token[], at: number): string[] {
  const start = tokens.findIndex(({ text }, index) => index > at && text === '(')
  // Between the table and its columns there is at most an alias: `insert into t as a (…)`.
  if (start === -1 || start > at + 3) return []
  const end = tokens.findIndex(({ text }, index) => index > start && text === ')')
  return tokens.slice(start + 1, end).map(({ text }) => text)
}

/** Whether the `org_id` at this position is compared with a value. Joining it with another column is not enough. */
function isCompared(tokens: readonly Token[], at: number): boolean {
  const textAt = (index: number): string => tokens[index]?.text ?? ''
  if (textAt(at + 1) === 'in') return true
  if (textAt(at + 1) === '=') return VALUE.test(textAt(at + 2))
  const operatorAt = textAt(at - 1) === '.' ? at - 3 : at - 1
  return textAt(operatorAt) === '=' && VALUE.test(textAt(operatorAt - 1))
}

const toText = (tokens: readonly Token[]): string =>
  tokens
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(' . ', '.')
