import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

/** The interfaces in `Tables` are written by hand. Here they are compared with the generated dumps of the schema. */
const ROOT = new URL('../../../', import.meta.url)
const pathTo = (file: string) => fileURLToPath(new URL(file, ROOT))

interface Column {
  type: 'string' | 'number' | 'boolean' | 'json'
  nullable: boolean
}
type Tables = Map<string, Map<string, Column>>

/** Kysely's own tables, and one that is only used in raw SQL. */
const UNDECLARED = ['migrations', 'migrations_lock', 'article_search_misspellings']
const TYPES: Record<string, Column['type']> = {
  ...{ text: 'string', uuid: 'string', 'timestamp(3) with time zone': 'string' },
  ...{ integer: 'number', bigint: 'number', boolean: 'boolean', jsontext: 'json', jsonb: 'json' },
}

const TABLE = /^create (?:unlogged )?table "?(\w+)"? \(\n(.*?)\n\)/gims
/** Table constraints, and the search vector, which is only used in raw SQL. */
const NOT_A_COLUMN = /^ {2}(constraint|primary|unique|foreign|check) | tsvector /i
const COLUMN = /^ {2}"?(\w+)"? (timestamp\(3\) with time zone|\w+)(.*?),?$/

function readSchema(file: string): Tables {
  const dump = readFileSync(pathTo(file), 'utf8')
  const declared = [...dump.matchAll(TABLE)].filter(([, name = '']) => !UNDECLARED.includes(name))
  const tables = declared.map(([, name = '', body = '']) => {
    const lines = body.split('\n').filter((line) => !NOT_A_COLUMN.test(line))
    return [name, new Map(lines.map(readColumn))] as const
  })
  return new Map(tables)
}

function readColumn(line: string): [string, Column] {
  const [, name = '', declared = '', rest = ''] = COLUMN.exec(line) ?? []
  const type = TYPES[declared]
  if (type === undefined) throw new Error(`unknown column type: ${line}`)
  return [name, { type, nullable: !/not null|primary key/i.test(rest) }]
}

/** The members of `Tables`, which modules extend by declaration merging. */
function readRowTypes(): Tables {
  const config = ts.readConfigFile(pathTo('tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, pathTo('.'))
  const program = ts.createProgram([pathTo('src/main/service.ts')], options)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(pathTo('src/platform/db/types.ts'))
  const declaration = source?.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === 'Tables',
  )
  if (declaration === undefined) throw new Error('types.ts has no interface Tables')
  const columnsOf = (row: ts.Type) =>
    row.getProperties().map((column) => [column.name, readType(typeOf(column))] as const)
  const typeOf = (symbol: ts.Symbol) => checker.getTypeOfSymbol(symbol)
  const tables = checker.getTypeAtLocation(declaration).getProperties()
  return new Map(tables.map((table) => [table.name, new Map(columnsOf(typeOf(table)))]))

  function readType(type: ts.Type): Column {
    const parts = type.isUnion() ? type.types : [type]
    const values = parts.filter(({ flags }) => !(flags & ts.TypeFlags.Null))
    const all = (flag: ts.TypeFlags) => values.every(({ flags }) => flags & flag)
    const name = all(ts.TypeFlags.StringLike)
      ? 'string'
      : all(ts.TypeFlags.NumberLike)
        ? 'number'
        : all(ts.TypeFlags.BooleanLike)
          ? 'boolean'
          : 'json'
    return { type: name, nullable: values.length < parts.length }
  }
}

const ONLY_ON_POSTGRES = ['rate_windows']

describe('row types agree with the schema', () => {
  const rowTypes = readRowTypes()

  test.each([
    ['sqlite', 'migrations/schema.sqlite.sql', ONLY_ON_POSTGRES],
    ['postgres', 'migrations/schema.postgres.sql', []],
  ])('on %s', (_engine, file, missing) => {
    const schema = readSchema(file)
    const expected = [...rowTypes.keys()].filter((name) => !missing.includes(name))
    expect([...schema.keys()].sort()).toEqual(expected.sort())
    for (const name of expected) expect(describeTable(rowTypes, name, schema)).toEqual(describeTable(schema, name))
  })
})

/** One line per column, so that a failure shows the column. `unknown` says nothing about null. */
function describeTable(tables: Tables, name: string, schema: Tables = tables): string[] {
  return [...(tables.get(name) ?? [])]
    .map(([column, { type, nullable }]) => {
      const isNullable = type === 'json' ? schema.get(name)?.get(column)?.nullable : nullable
      return `${name}.${column}: ${type}${isNullable ? ' or null' : ''}`
    })
    .sort()
}
