import { sql } from 'kysely'
import {
  compiled,
  containsFolded,
  type Db,
  type Tables,
  type Tx,
  totalOf,
  updateRows,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export type ScanCounters = Pick<Tables['scan_totals'], 'total_scans' | 'last_scanned_at'>

/** QR codes, objects and products have these columns in common. */
type TargetColumns = Pick<Tables['qr_codes'], 'id' | 'created_at' | 'name_key' | 'search_text'>

/** The tables of targets, and how `scan_totals` names their kind. */
const KINDS = { qr_codes: 'qr_code', objects: 'object', products: 'product' } as const
type TargetTable = keyof typeof KINDS

type TargetStatus = Tables['qr_codes']['status']

/** The statuses in a list that is not filtered by status. */
const LISTED: readonly TargetStatus[] = ['unconfigured', 'active', 'inactive']

/** The names of the row totals that add up to the length of a list. */
export const statusTotals = (table: TargetTable, status: TargetStatus | undefined): string[] =>
  (status === undefined ? LISTED : [status]).map((value) => totalOf(table, 'status', value))

/** `type` exists for objects only. */
type Sort = 'recent' | 'name' | 'type' | 'scans'

interface BaseFilters {
  status?: TargetStatus | undefined
  search?: string | undefined
}

/** Whether rows are checked one by one: `scan_totals` knows of a status only whether it is `archived`. */
export const skipsRows = ({ status }: BaseFilters, sort: Sort): boolean =>
  sort === 'scans' && status !== undefined && status !== 'archived'

/** Every filter but `status` and `search` requires the column of that name to have that value. */
type Filters<Row> = BaseFilters & { [Column in keyof Row]?: Row[Column] | undefined }

/**
 * The queries that QR codes, objects and products have in common. `columns` are the columns that the family reads and
 * writes; every row is read together with its counters.
 *
 * Kysely cannot check statements on a table that is known only at run time. The three tables share the columns used
 * here, so the statements are typed as if they were on `qr_codes`, and `$castTo` gives the rows their real type.
 */
export function targetTable<Row extends ScanCounters & Pick<TargetColumns, 'id' | 'created_at'>>(
  realTable: TargetTable,
  columns: readonly Exclude<keyof Row & string, keyof ScanCounters>[],
) {
  const table = realTable as 'qr_codes'
  const toColumn = (name: string) => `${table}.${name}` as 'qr_codes.id'
  const selected = [...columns.map(toColumn), 'total_scans', 'last_scanned_at'] as const
  // A literal, not a parameter: otherwise the planner does not use the partial indexes.
  const isListed = sql<boolean>`${sql.ref(`${table}.status`)} <> 'archived'`

  const select = (db: Db, orgId: OrgId) =>
    db
      .selectFrom(table)
      .innerJoin('scan_totals', 'scan_totals.target_id', `${table}.id`)
      .select(selected)
      .$castTo<Row>()
      .where(`${table}.org_id`, '=', orgId)

  type Query = ReturnType<typeof select>

  /** Reads `scan_totals` first, in the order of its index: SQLite does not reorder the tables of a cross join. */
  const selectFromTotals = (db: Db, orgId: OrgId): Query =>
    db
      .selectFrom('scan_totals')
      .crossJoin(table)
      .select(selected)
      .$castTo<Row>()
      .whereRef(`${table}.id`, '=', 'scan_totals.target_id')
      .where('scan_totals.org_id', '=', orgId)
      .where('kind', '=', KINDS[realTable])
      .where(`${table}.org_id`, '=', orgId)

  /** Applies every filter but the status. */
  const matching = (rows: Query, { status: _, search, ...equal }: Filters<Row>): Query => {
    let query = rows
    for (const [name, value] of Object.entries(equal)) {
      if (value !== undefined) query = query.where(toColumn(name), '=', value as string)
    }
    return search ? query.where(containsFolded('search_text', search)) : query
  }

  const filtered = (db: Db, orgId: OrgId, filters: Filters<Row>): Query => {
    const rows = matching(select(db, orgId), filters)
    if (filters.status !== undefined) return rows.where('status', '=', filters.status)
    // Objects have no status.
    return realTable === 'objects' ? rows : rows.where(isListed)
  }

  const mostScannedFirst = (db: Db, orgId: OrgId, filters: Filters<Row>): Query => {
    const { status } = filters
    const rows = matching(selectFromTotals(db, orgId), filters)
      .where('archived', '=', status === 'archived')
      .orderBy('total_scans', 'desc')
      .orderBy('scan_totals.target_id', 'desc')
    return status === undefined || status === 'archived' ? rows : rows.where('status', '=', status)
  }

  const sorted = (db: Db, orgId: OrgId, filters: Filters<Row>, sort: Sort): Query => {
    if (sort === 'scans') return mostScannedFirst(db, orgId, filters)
    const rows = filtered(db, orgId, filters)
    if (sort === 'name') return rows.orderBy('name_key').orderBy(`${table}.id`)
    return rows
      .$if(sort === 'type', (query) => query.orderBy(toColumn('type')))
      .orderBy(`${table}.created_at`, 'desc')
      .orderBy(`${table}.id`, 'desc')
  }

  const compilePage = (sort: Sort, status: TargetStatus | undefined, names: readonly string[]) =>
    compiled((db: Db, orgId: OrgId, limit: number, offset: number, ...values: unknown[]) => {
      const equal = Object.fromEntries(names.map((name, index) => [name, values[index]]))
      return sorted(db, orgId, { ...equal, status } as Filters<Row>, sort)
        .limit(limit)
        .offset(offset)
    })

  /** The keys are sort order, status and the names of the other filters: a few dozen. */
  const pages = new Map<string, ReturnType<typeof compilePage>>()

  /** The query for the rows with a value in a column. */
  const selectEachBy = (column: keyof Row & string) =>
    compiled((db: Db, orgId: OrgId, value: string) => select(db, orgId).where(toColumn(column), '=', value))

  return {
    selectEachBy,

    /** The query for the one row with a value in a unique column. */
    selectBy(column: keyof Row & string) {
      const rows = selectEachBy(column)
      return async (db: Db, orgId: OrgId, value: string): Promise<Row | undefined> => (await rows(db, orgId, value))[0]
    },

    /** The rows with one of these values in a unique column. */
    selectAllBy: (db: Db, orgId: OrgId, column: keyof Row & string, values: readonly string[]): Promise<Row[]> =>
      select(db, orgId).where(toColumn(column), 'in', values).execute() as Promise<Row[]>,

    /** Locks these rows, in the order of their ids, and returns the ids. SQLite has one writer, and needs no locks. */
    async lockAllBy(tx: Tx, orgId: OrgId, column: keyof Row & string, values: readonly string[]): Promise<Set<string>> {
      const rows = tx
        .selectFrom(table)
        .select('id')
        .where('org_id', '=', orgId)
        .where(toColumn(column), 'in', values)
        .orderBy('id')
        .forUpdate()
      return new Set((await rows.execute()).map(({ id }) => id))
    },

    selectPage(db: Db, orgId: OrgId, filters: Filters<Row>, sort: Sort, limit: number, offset: number): Promise<Row[]> {
      // The text is part of a pattern, so the statement cannot be compiled before it is known.
      if (filters.search)
        return sorted(db, orgId, filters, sort).limit(limit).offset(offset).execute() as Promise<Row[]>
      const { status, search: _, ...others } = filters
      const equal = Object.entries(others).filter(([, value]) => value !== undefined)
      const names = equal.map(([name]) => name)
      const key = [sort, status, ...names].join()
      const page = pages.get(key) ?? compilePage(sort, status, names)
      pages.set(key, page)
      return page(db, orgId, limit, offset, ...equal.map(([, value]) => value))
    },

    async count(db: Db, orgId: OrgId, filters: Filters<Row>): Promise<number> {
      const { count } = await filtered(db, orgId, filters)
        .clearSelect()
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async update(
      tx: Tx,
      orgId: OrgId,
      row: Row,
      derived: Pick<TargetColumns, 'name_key' | 'search_text'>,
    ): Promise<void> {
      const { id, created_at: _, total_scans: __, last_scanned_at: ___, ...values } = row
      await tx
        .updateTable(table)
        .set({ ...values, ...derived })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .execute()
    },

    async updateAll(
      tx: Tx,
      orgId: OrgId,
      rows: readonly (Row & Pick<TargetColumns, 'name_key' | 'search_text'>)[],
    ): Promise<void> {
      const changing = columns.filter((name) => name !== 'id' && name !== 'created_at')
      await updateRows(
        tx,
        orgId,
        table,
        [...(changing as 'name'[]), 'name_key', 'search_text'],
        rows.map(({ total_scans: _, last_scanned_at: __, ...row }) => row) as never,
      )
    },

    async delete(tx: Tx, orgId: OrgId, id: string): Promise<void> {
      await tx.deleteFrom(table).where('org_id', '=', orgId).where('id', '=', id).execute()
    },
  }
}
