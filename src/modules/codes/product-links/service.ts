import { isDeepStrictEqual } from 'node:util'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { invalidPayload } from '../../../platform/errors/index.ts'
import { type Context, pageOf } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import {
  type DestinationRef,
  requireDestinationUrl,
  toDestination,
  toDestinationColumns,
  toDestinationRef,
} from '../destinations/index.ts'
import { ANY, isAiValue, type LinkType } from '../gs1/index.ts'
import { changeProduct, lockProduct, type ProductSettings, requireProduct } from '../products/index.ts'
import { identityOf, type ProductLink, type ProductLinkList } from './contract.ts'
import { deleteProductLinks, insertProductLinks, type ProductLinkRow, selectProductLinks } from './queries.ts'

type Link = ProductLinkList[number]

/** The AIs of a lot and a serial number. */
const QUALIFIERS = { lot: '10', serial: '21' } as const

export async function listLinks(ctx: Context, productId: string, query: OffsetQuery): Promise<OffsetPage<ProductLink>> {
  await requireProduct(ctx.read, ctx.orgId, productId)
  return pageOf(await selectProductLinks(ctx.read, ctx.orgId, productId), query, toProductLink)
}

/** Replaces the list. A changed list is a change of the product: every process drops the product from its caches. */
export async function replaceLinks(
  ctx: Context,
  productId: string,
  links: ProductLinkList,
  query: OffsetQuery,
  settings: ProductSettings,
): Promise<OffsetPage<ProductLink>> {
  requireQualifiers(links)
  return ctx.write(async (tx) => {
    const product = await lockProduct(tx, ctx.orgId, productId)
    const addresses = await requireAddresses(tx, ctx.orgId, links)
    const before = await selectProductLinks(tx, ctx.orgId, productId)
    const after = toRows(links, addresses, before, ctx.now)
    const [from, to] = [before.map(toContent), after.map(toContent)]
    if (!isDeepStrictEqual(from, to)) {
      await deleteProductLinks(tx, ctx.orgId, productId)
      await insertProductLinks(tx, ctx.orgId, productId, after)
      await changeProduct(tx, ctx, { before: product, after: product }, { links: { from, to } }, settings)
    }
    return pageOf(after, query, toProductLink)
  })
}

function requireQualifiers(links: readonly Link[]): void {
  const wrong = links.flatMap((link, at) =>
    (['lot', 'serial'] as const)
      .filter((name) => {
        const sent = link[name]
        return sent !== null && sent !== ANY[name] && !isAiValue(QUALIFIERS[name], sent)
      })
      .map((name) => `links[${at}].${name}`),
  )
  const problem = 'Must be 1 to 20 characters that GS1 allows: letters, digits and punctuation'
  if (wrong.length > 0) throw invalidPayload(Object.fromEntries(wrong.map((field) => [field, [problem]])))
}

/** Returns where each link leads. Throws 422 for a destination that the organisation does not have. */
async function requireAddresses(tx: Tx, orgId: OrgId, links: readonly Link[]): Promise<string[]> {
  const known = new Map<string, string | undefined>()
  for (const [at, { destination }] of links.entries()) {
    const key = keyOf(destination)
    if (!known.has(key)) known.set(key, await requireDestinationUrl(tx, orgId, destination, `links[${at}].destination`))
  }
  return links.map(({ destination }) => known.get(keyOf(destination)) as string)
}

const keyOf = ({ type, id, url }: DestinationRef): string => `${type} ${id ?? url}`

/** A link that existed before keeps its id, and its timestamps unless it changed. */
function toRows(
  links: readonly Link[],
  addresses: readonly string[],
  before: readonly ProductLinkRow[],
  now: string,
): ProductLinkRow[] {
  const byIdentity = new Map(before.map((row) => [identityOf(toLink(row)), row]))
  return links.map((link, sort_order) => {
    const { destination, ...fields } = link
    const old = byIdentity.get(identityOf(link))
    const isSame = old?.title === link.title && old.is_default === link.is_default && old.sort_order === sort_order
    return {
      id: old?.id ?? newId(),
      ...fields,
      ...toDestinationColumns(destination),
      destination_type: destination.type,
      address: addresses[sort_order] as string,
      sort_order,
      created_at: old?.created_at ?? now,
      updated_at: isSame ? old.updated_at : now,
    }
  })
}

/** A stored link as a request sends it. */
function toLink(row: ProductLinkRow): Link {
  const { link_type, title, language, media_type, is_default, lot, serial } = row
  const destination = toDestinationRef(row) as DestinationRef
  return { link_type: link_type as LinkType, destination, title, language, media_type, is_default, lot, serial }
}

function toContent(row: ProductLinkRow) {
  const { destination, link_type, ...fields } = toLink(row)
  const isUrl = destination.type === 'url'
  return { link_type, url: destination.url, destination: isUrl ? null : toDestination(row), ...fields }
}

function toProductLink(row: ProductLinkRow): ProductLink {
  const { id, sort_order, created_at, updated_at } = row
  return { object: 'product_link', id, ...toContent(row), sort_order, created_at, updated_at }
}
