import { type RawBuilder, sql } from 'kysely'
import { BOOLEAN, JSON_TEXT } from './sqlite/statements.ts'
import type { Engine } from './types.ts'

/** Column types by meaning, so that one migration works for both engines. */
export interface ColumnTypes {
  id: RawBuilder<unknown>
  /** Sorts by bytes on both engines, independent of the locale. */
  text: RawBuilder<unknown>
  integer: RawBuilder<unknown>
  boolean: RawBuilder<unknown>
  timestamp: RawBuilder<unknown>
  json: RawBuilder<unknown>
}

export const columnTypes: Record<Engine, ColumnTypes> = {
  sqlite: {
    id: sql`text`,
    text: sql`text`,
    integer: sql`integer`,
    boolean: sql.raw(BOOLEAN),
    timestamp: sql`text`,
    json: sql.raw(JSON_TEXT),
  },
  postgres: {
    id: sql`uuid`,
    text: sql`text collate "C"`,
    integer: sql`bigint`,
    boolean: sql`boolean`,
    timestamp: sql`timestamptz(3)`,
    json: sql`jsonb`,
  },
}
