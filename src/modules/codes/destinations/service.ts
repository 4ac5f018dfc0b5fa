import type { Db } from '../../../platform/db/index.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Destination, DestinationRef, ProductDestination } from './contract.ts'
import { selectPublicSlug } from './queries.ts'

/** A destination as its owner's table stores it. */
export interface DestinationColumns {
  destination_type: string | null
  destination_id: string | null
  destination_url: string | null
}

export const toDestinationColumns = (destination: DestinationRef | null): DestinationColumns => ({
  destination_type: destination?.type ?? null,
  destination_id: destination?.id ?? null,
  destination_url: destination?.url ?? null,
})

export const toDestinationRef = ({
  destination_type: type,
  destination_id: id,
  destination_url: url,
}: DestinationColumns) => (type === null ? null : ({ type, id, url } as DestinationRef))

export function toDestination({ destination_type, destination_id, destination_url }: DestinationColumns): Destination {
  const idOf = (type: string) => (destination_type === type ? destination_id : null)
  return {
    type: destination_type as Destination['type'],
    chatbot: idOf('chatbot'),
    page: idOf('page'),
    knowledge_base: idOf('knowledge_base'),
    url: destination_url,
  }
}

export function toProductDestination(columns: DestinationColumns): ProductDestination {
  const { type: _, ...fields } = toDestination(columns)
  return fields
}

/** The table of each type of destination, and the path under which visitors reach it. */
const PLACES = {
  chatbot: { table: 'chatbots', path: '/c/' },
  page: { table: 'pages', path: '/p/' },
  knowledge_base: { table: 'knowledge_bases', path: '/kb/' },
} as const

/**
 * Returns the URL that a scan redirects to: absolute, or a path on our own host. Undefined when the organisation has no
 * such destination.
 */
export async function findDestinationUrl(
  db: Db,
  orgId: OrgId,
  destination: DestinationRef,
): Promise<string | undefined> {
  if (destination.type === 'url') return new URL(destination.url).href
  const { table, path } = PLACES[destination.type]
  const found = await selectPublicSlug(db, orgId, table, destination.id)
  return found && path + found.public_slug
}

/**
 * The same for a destination from a request: throws 422 when the organisation has no such destination. `field` is its place
 * in the request.
 */
export async function requireDestinationUrl(
  db: Db,
  orgId: OrgId,
  destination: DestinationRef | null | undefined,
  field = 'destination',
): Promise<string | undefined> {
  if (destination == null) return undefined
  const url = await findDestinationUrl(db, orgId, destination)
  if (url !== undefined) return url
  const noun = destination.type.replaceAll('_', ' ')
  throw unprocessable(
    `${field}.${destination.type}`,
    destination.id,
    `there is no ${noun} with this id in your organisation`,
  )
}
