import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../platform/db/types.ts'

/** A table of numbers from 1, and each of them as a text whose order is that of the numbers: for many rows in one statement. */
export function numberedRows(engine: Engine, count: number): { from: RawBuilder<unknown>; number: RawBuilder<string> } {
  if (engine === 'sqlite') {
    return {
      from: sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers) as numbers`,
      number: sql`printf('%08d', n)`,
    }
  }
  return {
    from: sql`(select generate_series(1, ${sql.lit(count)}) as n) as numbers`,
    number: sql`lpad(n::text, 8, '0')`,
  }
}
