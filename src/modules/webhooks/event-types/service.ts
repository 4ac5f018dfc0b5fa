import { describePayload } from '../../../platform/contract/openapi/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { foldCase } from '../../../platform/db/index.ts'
import type { EventCatalogue } from '../../../platform/outbox/index.ts'
import type { EventType } from './contract.ts'

/** Every event type. Built on the first call, because most processes never need it. */
export type EventTypes = () => readonly EventType[]

/** `others` are delivered too, but endpoints cannot subscribe to them. */
export function describeEventTypes(subscribable: EventCatalogue, others: EventCatalogue): EventTypes {
  let described: readonly EventType[] | undefined
  return () => {
    described ??= [...describe(subscribable, true), ...describe(others, false)]
    return described
  }
}

export function listEventTypes(
  eventTypes: EventTypes,
  { page, page_size, search = '' }: OffsetQuery & { search?: string | undefined },
): OffsetPage<EventType> {
  const term = foldCase(search)
  const found = eventTypes().filter(({ type, description }) => foldCase(`${type}\n${description}`).includes(term))
  return { data: found.slice((page - 1) * page_size, page * page_size), total: found.length }
}

const describe = (catalogue: EventCatalogue, subscribable: boolean): EventType[] =>
  Object.entries(catalogue).map(([type, { description, payload }]) => ({
    object: 'event_type',
    type,
    description,
    subscribable,
    ...describePayload(payload),
  }))
