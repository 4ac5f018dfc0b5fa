import type { Db } from '../../../platform/db/index.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import {
  type Destination,
  type DestinationRef,
  forEachPlace,
  PLACE_NAMES,
  PLACES,
  type ProductDestination,
} from './contract.ts'
import { selectKnowledgeBases, selectPublicSlug, selectPublicSlugs } from './queries.ts'

/** A destination as its owner's table stores it. */
export interface DestinationColumns {
  destination_type: string | null
  destination_id: string | null
  destination_url: string | null
}

/** The same of a QR code, QR group, object or product. The article is null unless the destination is its knowledge base. */
export interface TargetDestinationColumns extends DestinationColumns {
  destination_article_id: string | null
}

/** What a request says about a destination; undefined leaves the current value. */
export interface SentDestination {
  destination?: DestinationRef | null | undefined
  destination_article_id?: string | null | undefined
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
  return {
    type: destination_type as Destination['type'],
    ...forEachPlace((place) => (destination_type === place ? destination_id : null)),
    url: destination_url,
  }
}

/** The reverse: the stored form of a destination as responses show it. */
export const fromDestination = ({ type, url, ...ids }: Destination): DestinationRef | null =>
  type === null ? null : ({ type, id: type === 'url' ? null : ids[type], url } as DestinationRef)

export function toProductDestination(columns: DestinationColumns): ProductDestination {
  const { type: _, ...fields } = toDestination(columns)
  return fields
}

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

/** The same for many destinations: those that the organisation has, by `destinationKey`. */
export async function findDestinationUrls(
  db: Db,
  orgId: OrgId,
  destinations: Iterable<DestinationRef>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map([...destinations].map((destination) => [destinationKey(destination), destination]))
  const urls = new Map<string, string>()
  for (const [key, { url }] of wanted) if (url !== null) urls.set(key, new URL(url).href)
  for (const type of PLACE_NAMES) {
    const ids = [...wanted.values()].flatMap((destination) => (destination.type === type ? [destination.id] : []))
    if (ids.length === 0) continue
    const { table, path } = PLACES[type]
    for (const { id, public_slug } of await selectPublicSlugs(db, orgId, table, ids))
      urls.set(destinationKey({ type, id, url: null }), path + public_slug)
  }
  return urls
}

/** The public slugs of these objects, by id. Not a destination, but scans of its codes lead where the object leads. */
export const findObjectSlugs = async (db: Db, orgId: OrgId, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map((await selectPublicSlugs(db, orgId, 'objects', ids)).map(({ id, public_slug }) => [id, public_slug]))

export const destinationKey = ({ type, id, url }: DestinationRef): string => `${type} ${id ?? url}`

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
  throw unknownDestination(destination, field)
}

/**
 * Throws 422 when the organisation has no such destination or article, or when they do not agree. Returns the destination that
 * the article means.
 */
export async function requireDestination(
  db: Db,
  orgId: OrgId,
  sent: SentDestination,
): Promise<Pick<SentDestination, 'destination'>> {
  await requireDestinationUrl(db, orgId, sent.destination)
  return impliedDestination(sent, await findKnowledgeBases(db, orgId, [sent]))
}

/** The knowledge bases of the articles that are named, by the ids of the articles. */
export async function findKnowledgeBases(
  db: Db,
  orgId: OrgId,
  sent: readonly SentDestination[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(sent.flatMap(({ destination_article_id }) => destination_article_id ?? []))
  const rows = ids.size === 0 ? [] : await selectKnowledgeBases(db, orgId, [...ids])
  return new Map(rows.map(({ id, knowledge_base_id }) => [id, knowledge_base_id]))
}

/** Empty if no article is named. Throws 422 as above. */
export function impliedDestination(
  { destination, destination_article_id: articleId }: SentDestination,
  knowledgeBases: ReadonlyMap<string, string>,
): Pick<SentDestination, 'destination'> {
  if (articleId == null) return {}
  const refuse = (problem: string) => unprocessable('destination_article_id', articleId, problem)
  const id = knowledgeBases.get(articleId)
  if (id === undefined) throw refuse('there is no article with this id in your organisation')
  const isOther = destination !== undefined && (destination?.type !== 'knowledge_base' || destination.id !== id)
  if (isOther) throw refuse('the destination is not the knowledge base of this article')
  return { destination: { type: 'knowledge_base', id, url: null } }
}

export const unknownDestination = ({ type, id }: DestinationRef, field = 'destination') =>
  unprocessable(`${field}.${type}`, id, `there is no ${type.replaceAll('_', ' ')} with this id in your organisation`)
