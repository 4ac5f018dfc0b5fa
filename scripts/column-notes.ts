import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** What a `columns.ts` says about a table. Texts are kept as they were written. */
export interface TableNotes {
  comment: string
  columns: ReadonlyMap<string, ColumnNote>
}

interface ColumnNote {
  comment: string
  type: string
  kind: Kind
  nullable: boolean
}

export type Kind = 'string' | 'number' | 'boolean' | 'json'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Each group describes its own columns, and the platform those of its own tables. */
const FILES = ['src/platform/db/columns.ts', 'src/modules/*/columns.ts']

/** Reads what all files say, by the names of tables. */
export function readColumnNotes(): Map<string, TableNotes> {
  const notes = globSync(FILES, { cwd: ROOT }).flatMap((file) =>
    parseColumnNotes(readFileSync(`${ROOT}/${file}`, 'utf8')),
  )
  const [repeated] = notes.map(([table]) => table).filter((table, n, all) => all.indexOf(table) < n)
  if (repeated !== undefined) throw new Error(`Two files columns.ts describe ${repeated}`)
  return new Map(notes)
}

/** Reads the interface `Columns` of one file. */
export function parseColumnNotes(text: string): [table: string, TableNotes][] {
  const source = ts.createSourceFile('columns.ts', text, ts.ScriptTarget.Latest, true)
  const tables = source.statements.find(ts.isInterfaceDeclaration)?.members.filter(ts.isPropertySignature) ?? []
  return tables.map((table) => [
    table.name.getText(),
    { comment: commentOf(table), columns: new Map(columnsOf(table)) },
  ])
}

function columnsOf(table: ts.PropertySignature): [string, ColumnNote][] {
  if (table.type === undefined || !ts.isTypeLiteralNode(table.type)) return []
  return table.type.members.filter(ts.isPropertySignature).map((column) => {
    const { type } = column
    if (type === undefined) throw new Error(`${table.name.getText()}.${column.name.getText()} has no type`)
    const values = (ts.isUnionTypeNode(type) ? [...type.types] : [type]).filter((value) => value.getText() !== 'null')
    const nullable = type.getText().endsWith('| null')
    // Some types begin on a line of their own. The text from the colon keeps the indentation.
    const text = type.getFullText()
    return [column.name.getText(), { comment: commentOf(column), type: text, kind: kindOf(values), nullable }]
  })
}

function kindOf(values: readonly ts.TypeNode[]): Kind {
  const all = (pattern: RegExp) => values.every((value) => pattern.test(value.getText()))
  if (all(/^('.*'|string|OrgId)$/)) return 'string'
  if (all(/^(\d+|number)$/)) return 'number'
  return all(/^(true|false|boolean)$/) ? 'boolean' : 'json'
}

/** Returns the text between the previous member and this one: the comment with its line breaks and indentation. */
const commentOf = (member: ts.PropertySignature): string =>
  member.getFullText().slice(0, member.getStart() - member.getFullStart())
