import type { z } from 'zod'
import { DAY_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import type { Event, events } from './contract.ts'
import { type EventRow, selectEventSizes, selectEvents } from './queries.ts'

type ListQuery = z.output<typeof events.list.declared.query>

const LISTED_MS = 30 * DAY_MS

const toEvent = ({ id, type, payload, created_at }: EventRow): Event => ({
  object: 'event',
  id,
  type,
  data: payload as Event['data'],
  created_at,
})

export function listEvents(ctx: Context, query: ListQuery, after: Position | undefined): Promise<CursorPage<Event>> {
  const filters = { since: timestamp(toMs(ctx.now) - LISTED_MS), type: query.type, after }
  return cursorPage(
    query,
    (limit) => selectEvents(ctx.read, ctx.orgId, filters, limit),
    toEvent,
    (limit) => selectEventSizes(ctx.read, ctx.orgId, filters, limit),
  )
}
