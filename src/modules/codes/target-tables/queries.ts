import { sql } from 'kysely'
import {
  compiled,
  containsFolded,
  type Db,
  runWithoutResult,
  type Tables,
  type ToFailure,
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

/** The columns of each order, which end with the id. */
const ORDERS: Record<Sort, readonly (readonly [column: string, direction: 'asc' | 'desc'])[]> = {
  recent: [
    ['created_at', 'desc'],
    ['id', 'desc'],
  ],
  name: [
    ['name_key', 'asc'],
    ['id', 'asc'],
  ],
  type: [
    ['type', 'asc'],
    ['created_at', 'desc'],
    ['id', 'desc'],
  ],
  scans: [
    ['total_scans', 'desc'],
    ['target_id', 'desc'],
  ],
}

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

  const all = (db: Db, orgId: OrgId) => db.selectFrom(table).where(`${table}.org_id`, '=', orgId)
  type Query = ReturnType<typeof all>

  /** Reads `scan_totals` first, in the order of its index: SQLite does not reorder the tables of a cross join. */
  const mostScanned = (db: Db, orgId: OrgId, filters: Filters<Row>): Query => {
    const { status, search, ...equal } = filters
    const totals = db
      .selectFrom('scan_totals')
      .where('scan_totals.org_id', '=', orgId)
      .where('kind', '=', KINDS[realTable])
      .where('archived', '=', status === 'archived')
    const isChecked = search || Object.values(equal).some((value) => value !== undefined)
    if (!isChecked && !skipsRows(filters, 'scans')) return totals as unknown as Query
    const rows = totals
      .crossJoin(table)
      .whereRef(`${table}.id`, '=', 'scan_totals.target_id')
      .where(`${table}.org_id`, '=', orgId) as unknown as Query
    return matching(skipsRows(filters, 'scans') ? rows.where('status', '=', status as TargetStatus) : rows, filters)
  }

  /** Applies every filter but the status. */
  const matching = (rows: Query, { status: _, search, ...equal }: Filters<Row>): Query => {
    let query = rows
    for (const [name, value] of Object.entries(equal)) {
      if (value !== undefined) query = query.where(toColumn(name), '=', value as string)
    }
    return search ? query.where(containsFolded('search_text', search)) : query
  }

  const filtered = (db: Db, orgId: OrgId, filters: Filters<Row>): Query => {
    const rows = matching(all(db, orgId), filters)
    if (filters.status !== undefined) return rows.where('status', '=', filters.status)
    // Objects have no status.
    return realTable === 'objects' ? rows : rows.where(isListed)
  }

  /** The rows before a page are skipped in the index that has the order. Only those of the page are read. */
  const pageOf = (db: Db, orgId: OrgId, filters: Filters<Row>, sort: Sort, limit: number, offset: number) => {
    const order = ORDERS[sort].map(([column, direction], place) => ({ column, direction, name: `found_${place}` }))
    let places = (sort === 'scans' ? mostScanned : filtered)(db, orgId, filters).limit(limit).offset(offset)
    for (const { column, direction } of order) places = places.orderBy(sql.ref(column), direction)
    const found = places.select(order.map(({ column, name }) => sql.ref<string>(column).as(name)))
    const id = sql.ref<string>(order.at(-1)?.name ?? '')
    let page = db
      .selectFrom(found.as('found'))
      .crossJoin(table)
      .crossJoin('scan_totals')
      .select(selected)
      .$castTo<Row>()
      .where(`${table}.id`, '=', id)
      .where('scan_totals.target_id', '=', id)
    for (const { name, direction } of order) page = page.orderBy(sql.ref(name), direction)
    return page
  }

  const compilePage = (sort: Sort, status: TargetStatus | undefined, names: readonly string[]) =>
    compiled((db: Db, orgId: OrgId, limit: number, offset: number, ...values: unknown[]) => {
      const equal = Object.fromEntries(names.map((name, index) => [name, values[index]]))
      return pageOf(db, orgId, { ...equal, status } as Filters<Row>, sort, limit, offset)
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
      if (filters.search) return pageOf(db, orgId, filters, sort, limit, offset).execute() as Promise<Row[]>
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
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async update(
      tx: Tx,
      orgId: OrgId,
      row: Row,
      derived: Pick<TargetColumns, 'name_key' | 'search_text'>,
      toFailure: ToFailure,
    ): Promise<void> {
      const { id, created_at: _, total_scans: __, last_scanned_at: ___, ...values } = row
      const update = tx
        .updateTable(table)
        .set({ ...values, ...derived })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
      await runWithoutResult(tx, update, toFailure)
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
