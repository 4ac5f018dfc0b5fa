import type { z } from 'zod'
import { noteChange } from '../../../platform/audit/index.ts'
import { type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { FileResponse } from '../../../platform/contract/responses.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { nameDevice } from '../../../platform/user-agent/device.ts'
import type { AuditLogEntry, auditLog } from './contract.ts'
import { type EntryRow, type Filters, selectEntries } from './queries.ts'

type ListQuery = z.output<typeof auditLog.list.declared.query>
type ExportQuery = z.output<typeof auditLog.export.declared.query>

const EXPORTED_MAX = 10_000

/** Each filter has an index. Several together may read many entries. */
const readFor = (ctx: Context, { actor, action, resource }: Filters) =>
  [actor, action, resource].filter((filter) => filter !== undefined).length > 1 ? ctx.readLong : ctx.read

export const listEntries = (
  ctx: Context,
  query: ListQuery,
  after: Position | undefined,
): Promise<CursorPage<AuditLogEntry>> => {
  const filters = toFilters(query)
  return cursorPage(query, (limit) => selectEntries(readFor(ctx, filters), ctx.orgId, filters, after, limit), toEntry)
}

export async function exportEntries(ctx: Context, query: ExportQuery): Promise<FileResponse> {
  const rows = await selectEntries(ctx.readLong, ctx.orgId, toFilters(query), undefined, EXPORTED_MAX)
  const lines = [HEADINGS, ...rows.map(toCells)].map((cells) => cells.map(toCell).join(','))
  await ctx.write(async (tx) => noteChange(tx, 'audit_log.exported', { type: 'audit_log', id: null }))
  return new FileResponse('text/csv', `${rows[0]?.id}-${rows.length}`, () => `${lines.join('\r\n')}\r\n`)
}

const toFilters = ({ actor, action, resource, from, to }: ExportQuery): Filters => ({
  actor,
  action,
  resource,
  from: from && timestamp(toMs(from as Timestamp)),
  to: to && timestamp(toMs(to as Timestamp)),
})

function toEntry(row: EntryRow): AuditLogEntry {
  const { id, action, resource_type, resource_id, resource_ids, changes, address, user_agent, created_at } = row
  return {
    object: 'audit_log_entry',
    id,
    action,
    actor: { type: row.actor_kind, id: row.actor_id, name: row.actor_name },
    resource: { type: resource_type, id: resource_id, ids: resource_ids as string[] | null },
    changes: changes as AuditLogEntry['changes'],
    address,
    device: user_agent === null ? null : nameDevice(user_agent) || user_agent,
    created_at,
  }
}

const HEADINGS = ['time', 'action', 'actor_type', 'actor', 'resource_type', 'resource', 'changes', 'address', 'device']

function toCells(row: EntryRow): string[] {
  const { created_at, action, actor, resource, changes, address, device } = toEntry(row)
  return [
    created_at,
    action,
    actor.type,
    actor.name,
    resource.type,
    resource.id ?? resource.ids?.join(' ') ?? '',
    changes === null ? '' : JSON.stringify(changes),
    address ?? '',
    device ?? '',
  ]
}

/** A spreadsheet would run a cell that begins like a formula. */
const toCell = (text: string): string => `"${text.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`
