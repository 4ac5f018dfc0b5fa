import type { Db } from '../../../platform/db/index.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Destination, DestinationRef, ProductDestination } from './contract.ts'
import { selectPublicSlug } from './queries.ts'

/** How a table keeps a destination. */
export interface DestinationColumns {
  destination_type: string | null
  destination_id: string | null
  destination_url: string | null
}

export const toDestinationColumns = (lead: DestinationRef | null): DestinationColumns => ({
  destination_type: lead?.type ?? null,
  destination_id: lead?.id ?? null,
  destination_url: lead?.url ?? null,
})

export const toDestinationRef = ({
  destination_type: type,
  destination_id: id,
  destination_url: url,
}: DestinationColumns) => (type === null ? null : ({ type, id, url } as DestinationRef))

export function toDestination({ destination_type, destination_id, destination_url }: DestinationColumns): Destination {
  const companion = (type: string) => (destination_type === type ? destination_id : null)
  return {
    type: destination_type as Destination['type'],
    chatbot: companion('chatbot'),
    page: companion('page'),
    knowledge_base: companion('knowledge_base'),
    url: destination_url,
  }
}

export function toProductDestination(columns: DestinationColumns): ProductDestination {
  const { type: _, ...companions } = toDestination(columns)
  return companions
}

/** Where each kind stands, and under which path phones find it. */
const PLACES = {
  chatbot: { table: 'chatbots', path: '/c/' },
  page: { table: 'pages', path: '/p/' },
  knowledge_base: { table: 'knowledge_bases', path: '/kb/' },
} as const

/** The address that a scan is sent to: whole, or a path on our own host. Undefined when nothing is there. */
export async function findDestinationUrl(db: Db, orgId: OrgId, lead: DestinationRef): Promise<string | undefined> {
  if (lead.type === 'url') return new URL(lead.url).href
  const { table, path } = PLACES[lead.type]
  const found = await selectPublicSlug(db, orgId, table, lead.id)
  return found && path + found.public_slug
}

/** The same for what a caller sent: refuses a destination that is not the organisation's own. */
export async function requireDestinationUrl(
  db: Db,
  orgId: OrgId,
  lead: DestinationRef | null | undefined,
): Promise<string | undefined> {
  if (lead == null) return undefined
  const address = await findDestinationUrl(db, orgId, lead)
  if (address !== undefined) return address
  const field = `destination.${lead.type}`
  const noun = lead.type.replaceAll('_', ' ')
  throw unprocessable(field, lead.id, `there is no ${noun} with this id in your organisation`)
}
