import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import {
  type DestinationRef,
  destinationKey,
  findDestinationUrls,
  findKnowledgeBases,
  type Status,
  toDestinationRef,
} from '../destinations/index.ts'
import type { Owner } from './owners.ts'

/** Where an owner leads. */
export interface Lead {
  destination: DestinationRef | null
  articleId: string | null
  /** Null for an object. */
  status: Status | null
}

/** What a job keeps about an owner that it has changed, so that the change can be undone. */
export interface Memo {
  before: Lead
  after: Lead
}

export const leadOf = (owner: Owner): Lead => ({
  destination: toDestinationRef(owner),
  articleId: owner.destination_article_id,
  status: owner.status ?? null,
})

/** Whether both lead to the same place. The status does not count: a code that was paused since leads nowhere else. */
export const isSamePlace = (one: Lead, other: Lead): boolean =>
  one.articleId === other.articleId && isSameDestination(one.destination, other.destination)

export const isSameDestination = (one: DestinationRef | null, other: DestinationRef | null): boolean =>
  one === null || other === null ? one === other : destinationKey(one) === destinationKey(other)

/** Returns a function that says whether the place of one of these leads still exists. */
export async function findExisting(db: Db, orgId: OrgId, leads: readonly Lead[]): Promise<(lead: Lead) => boolean> {
  const urls = await findDestinationUrls(
    db,
    orgId,
    leads.flatMap(({ destination }) => destination ?? []),
  )
  const bases = await findKnowledgeBases(
    db,
    orgId,
    leads.map(({ articleId }) => ({ destination_article_id: articleId })),
  )
  return ({ destination, articleId }) =>
    destination === null ||
    (urls.has(destinationKey(destination)) && (articleId === null || bases.get(articleId) === destination.id))
}
