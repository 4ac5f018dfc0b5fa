import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../contract/pagination.ts'

/**
 * The rows after a position in a list that is sorted newest first. A single row comparison lets the database seek in
 * the index. In a join, `table` is the listed table.
 */
export const olderThan = ({ created_at, id }: Position, table?: string): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`)
  return sql<SqlBool>`(${column('created_at')}, ${column('id')}) < (${created_at}, ${id})`
}
