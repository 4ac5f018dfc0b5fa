import { TABLE_COLUMNS, type Tables } from '../tables.generated.ts'

type Name = keyof Tables
type ColumnOf<Table extends Name> = keyof Tables[Table] & string

/** A row of a table, with all columns or with those of a list. */
export type Row<Table extends Name, Columns extends readonly ColumnOf<Table>[] = readonly ColumnOf<Table>[]> = Pick<
  Tables[Table],
  Columns[number]
>

const COLUMNS: { readonly [Table in Name]: readonly ColumnOf<Table>[] } = TABLE_COLUMNS

export const TABLE_NAMES = Object.keys(TABLE_COLUMNS) as readonly Name[]

/** All columns of a table by name, because `select *` would also read what a newer release has added. */
export const columnsOf = <Table extends Name>(table: Table): readonly ColumnOf<Table>[] => COLUMNS[table]

/** All columns of a table but some. A new column is read without another line. */
export function columnsExcept<Table extends Name, Except extends ColumnOf<Table>>(
  table: Table,
  ...except: readonly Except[]
): readonly Exclude<ColumnOf<Table>, Except>[] {
  const isKept = (column: ColumnOf<Table>): column is Exclude<ColumnOf<Table>, Except> =>
    !(except as readonly string[]).includes(column)
  return columnsOf(table).filter(isKept)
}

/** The columns for a statement in which the table has another name. */
export const withPrefix = <const Prefix extends string, Column extends string>(
  prefix: Prefix,
  columns: readonly Column[],
): readonly `${Prefix}.${Column}`[] => columns.map((column) => `${prefix}.${column}` as const)
