import type { z } from 'zod'
import { noteCreated, noteDeleted, noteUpdated } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { type Db, lockRow, selectTotal, type Tx, totalOf } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { domainUrl } from '../../../platform/http/server/public-url.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { changesOf } from '../../../platform/outbox/index.ts'
import { findDestinationUrl } from '../../codes/destinations/index.ts'
import { hasCodeAt, hasCodeWhere, lockAddresses } from '../../codes/qr-codes/index.ts'
import { announceDomains, findDomains, lockReferencedDomain } from '../custom-domains/index.ts'
import type { IsCentrePart } from './code-domains.ts'
import type {
  CustomDomainRoute,
  CustomDomainRouteCreate,
  CustomDomainRouteUpdate,
  customDomainRoutes,
  RouteType,
} from './contract.ts'
import { idField } from './contract.ts'
import {
  deleteRouteRow,
  deleteRoutesOf,
  insertRoute,
  type RouteRow,
  selectRoute,
  selectRoutes,
  selectRoutesOf,
  updateRouteRow,
} from './queries.ts'

type ListQuery = z.output<typeof customDomainRoutes.list.declared.query>

/** All routes of a domain are kept in memory together. */
const ROUTES_MAX = 500

const DESTINATIONS = { chatbot: 'chatbot', kb: 'knowledge_base', page: 'page' } as const

export function listRoutes(
  ctx: Context,
  { domain_id, ...query }: ListQuery,
  publicUrl: string,
): Promise<OffsetPage<CustomDomainRoute>> {
  return offsetPage(ctx, query, {
    totals: [
      domain_id === undefined ? 'custom_domain_routes' : totalOf('custom_domain_routes', 'domain_id', domain_id),
    ],
    count: undefined,
    rows: async (db, limit, offset) => {
      const rows = await (domain_id === undefined
        ? selectRoutes(db, ctx.orgId, limit, offset)
        : selectRoutesOf(db, ctx.orgId, limit, offset, domain_id))
      return withDomains(db, ctx.orgId, rows)
    },
    toItem: (row) => toRoute(row, publicUrl),
  })
}

interface RouteSettings {
  publicUrl: string
  isCentrePart: IsCentrePart
}

export function createRoute(
  ctx: Context,
  input: CustomDomainRouteCreate,
  { publicUrl, isCentrePart }: RouteSettings,
): Promise<CustomDomainRoute> {
  const { domain_id, slug, type } = input
  return ctx.write(async (tx) => {
    const { domain, verified_at } = await lockReferencedDomain(tx, ctx.orgId, domain_id)
    await lockAddresses(tx, ctx.orgId)
    await refuseIfCodes(tx, ctx.orgId, input, isCentrePart)
    const target = { type, id: input[idField(type)] as string }
    const row = {
      id: newId(),
      domain_id,
      slug,
      type,
      target_id: target.id,
      public_slug: await requirePublicSlug(tx, ctx.orgId, target),
      is_default: false,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    await insertRoute(tx, ctx.orgId, row)
    await requireRoom(tx, ctx.orgId, domain_id)
    await announceDomains(tx, ctx.orgId, [domain])
    const created = toRoute({ ...row, domain, verified_at }, publicUrl)
    noteCreated(tx, created)
    return created
  })
}

export const getRoute = async (ctx: Context, id: string, publicUrl: string): Promise<CustomDomainRoute> =>
  toRoute(await requireRoute(ctx.read, ctx.orgId, id), publicUrl)

export function updateRoute(
  ctx: Context,
  id: string,
  input: CustomDomainRouteUpdate,
  publicUrl: string,
): Promise<CustomDomainRoute> {
  return ctx.write(async (tx) => {
    const row = await lockRoute(tx, ctx.orgId, id)
    const { is_default = row.is_default } = input
    const before = toRoute(row, publicUrl)
    const changes = changesOf(before, { ...before, is_default })
    if (changes === undefined) return before
    await updateRouteRow(tx, ctx.orgId, id, { is_default, updated_at: ctx.now })
    await announceDomains(tx, ctx.orgId, [row.domain])
    const after = { ...before, is_default, updated_at: ctx.now }
    noteUpdated(tx, after, changes)
    return after
  })
}

export function deleteRoute(ctx: Context, id: string, publicUrl: string): Promise<void> {
  return ctx.write(async (tx) => {
    const row = await lockRoute(tx, ctx.orgId, id)
    await deleteRouteRow(tx, ctx.orgId, id)
    await insertTombstone(tx, ctx.orgId, 'custom_domain_route', id, ctx.now)
    await announceDomains(tx, ctx.orgId, [row.domain])
    noteDeleted(tx, toRoute(row, publicUrl))
  })
}

/** Part of disconnecting a domain, which is locked then. */
export async function dropRoutesOf(tx: Tx, orgId: OrgId, domainId: string, now: Timestamp): Promise<void> {
  for (const { id, slug, type } of await deleteRoutesOf(tx, orgId, domainId)) {
    await insertTombstone(tx, orgId, 'custom_domain_route', id, now)
    noteDeleted(tx, { object: 'custom_domain_route', id, domain_id: domainId, slug, type })
  }
}

async function requireRoute(db: Db, orgId: OrgId, id: string): Promise<RouteWithDomain> {
  const row = await selectRoute(db, orgId, id)
  const [found] = row === undefined ? [] : await withDomains(db, orgId, [row])
  if (found === undefined) throw await notFoundOrGone(db, orgId, 'custom_domain_route', id)
  return found
}

async function lockRoute(tx: Tx, orgId: OrgId, id: string): Promise<RouteWithDomain> {
  await lockRow(tx, orgId, 'custom_domain_routes', id)
  return requireRoute(tx, orgId, id)
}

/** A route comes before a code, so what is printed would no longer be a code. The addresses are locked. */
async function refuseIfCodes(
  tx: Tx,
  orgId: OrgId,
  { domain_id, slug, type }: CustomDomainRouteCreate,
  isCentrePart: IsCentrePart,
): Promise<void> {
  const hasCode =
    slug === ''
      ? type === 'kb' && (await hasCodeWhere(tx, orgId, domain_id, isCentrePart))
      : await hasCodeAt(tx, orgId, domain_id, slug)
  if (!hasCode) return
  const message = 'A QR code has this address, or one below it. Choose another slug, or delete the code first.'
  throw new ApiError('conflict', message, { details: { field: 'slug', value: slug } })
}

/** Called after the insert: the domain is locked, so no other request adds a route in the meantime. */
async function requireRoom(tx: Tx, orgId: OrgId, domainId: string): Promise<void> {
  const total = await selectTotal(tx, orgId, totalOf('custom_domain_routes', 'domain_id', domainId))
  if (total <= ROUTES_MAX) return
  throw new ApiError('unprocessable', `A domain can have ${ROUTES_MAX} routes. Delete one first.`, {
    details: { field: 'domain_id', value: domainId, max: ROUTES_MAX },
  })
}

async function requirePublicSlug(tx: Tx, orgId: OrgId, { type, id }: { type: RouteType; id: string }): Promise<string> {
  const path = await findDestinationUrl(tx, orgId, { type: DESTINATIONS[type], id, url: null })
  if (path !== undefined) return path.slice(path.lastIndexOf('/') + 1)
  const noun = DESTINATIONS[type].replace('_', ' ')
  throw unprocessable(idField(type), id, `there is no ${noun} with this id in your organisation`)
}

/** A route with what its URL depends on. */
interface RouteWithDomain extends RouteRow {
  domain: string
  verified_at: string | null
}

/** Leaves out routes of a domain that was disconnected in the meantime. */
async function withDomains(db: Db, orgId: OrgId, rows: readonly RouteRow[]): Promise<RouteWithDomain[]> {
  const domains = await findDomains(db, orgId, [...new Set(rows.map(({ domain_id }) => domain_id))])
  return rows.flatMap((row) => {
    const found = domains.get(row.domain_id)
    return found === undefined ? [] : [{ ...row, domain: found.domain, verified_at: found.verified_at }]
  })
}

function toRoute(row: RouteWithDomain, publicUrl: string): CustomDomainRoute {
  const { id, domain_id, slug, target_id, is_default, created_at, updated_at } = row
  const type = row.type as RouteType
  const idOf = (wanted: RouteType) => (type === wanted ? target_id : null)
  return {
    object: 'custom_domain_route',
    id,
    domain_id,
    slug,
    type,
    chatbot_id: idOf('chatbot'),
    kb_id: idOf('kb'),
    page_id: idOf('page'),
    is_default,
    url: row.verified_at === null ? null : `${domainUrl(publicUrl, row.domain)}/${slug}`,
    created_at,
    updated_at,
  }
}
