import { type Db, lockTotal, type Tx } from '../../../platform/db/index.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import { domainUrl } from '../../../platform/http/server/public-url.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { ItemPlan } from '../create-or-change/index.ts'
import { domainNamespace, findTakenKeys, targetKey } from '../scan-targets/index.ts'
import type { QrCodeCreate } from './contract.ts'
import { type QrCodeRow, selectSlugsOn } from './queries.ts'

/** A custom domain of the organisation. */
interface CodeDomain {
  name: string
  isVerified: boolean
}

/** What codes need to know about custom domains, which are a group of their own. */
export interface CodeDomains {
  /** All domains of the organisation, by their ids. */
  list(db: Db, orgId: OrgId): Promise<ReadonlyMap<string, CodeDomain>>
  /** Says of the first part of a path whether a route of a domain shows something there; without a domain, of any. */
  findShown(db: Db, orgId: OrgId, parts: readonly string[]): Promise<(domainId: string | null, part: string) => boolean>
}

type Address = Pick<QrCodeRow, 'public_slug' | 'domain'>

/** The key under which scans find a code. */
export const codeKey = (orgId: OrgId, { public_slug: slug, domain }: Address): string =>
  targetKey('qr_code', domain === null ? slug : domainNamespace(orgId, domain) + slug)

/** A code on a domain names it, also while the domain is not verified: its printed address stays the same. */
export const codeUrl = ({ public_slug: slug, domain }: Address, publicUrl: string): string =>
  `${domain === null ? publicUrl : domainUrl(publicUrl, domain)}/${slug}`

const isChosen = ({ public_slug, domain_id }: QrCodeCreate): boolean => public_slug !== undefined || domain_id != null

export const needDomains = (inputs: readonly QrCodeCreate[]): boolean => inputs.some(isChosen)

/**
 * Until the transaction ends, nothing else in the organisation gets an address that somebody chose: no code, no route, and
 * no domain is disconnected. What is looked up from here on stays true.
 */
export const lockAddresses = async (tx: Tx, orgId: OrgId): Promise<void> => {
  await lockTotal(tx, orgId, 'chosen addresses')
}

export const slugTaken = (value: string) =>
  new ApiError('conflict', 'This public_slug is taken, or was used before. Choose another one.', {
    details: { field: 'public_slug', value },
  })

type Plan = ItemPlan<QrCodeCreate, QrCodeRow>

/** Finds what is wrong with chosen addresses. Whether a slug is taken on its own host, its key decides when it is claimed. */
export async function checkAddresses(
  tx: Tx,
  orgId: OrgId,
  plans: readonly Plan[],
  domains: CodeDomains,
): Promise<Map<number, ApiError>> {
  const errors = new Map<number, ApiError>()
  for (const { index, input, before } of plans) {
    const error = before && checkKept(input, before)
    if (error !== undefined) errors.set(index, error)
  }
  const created = plans.filter(({ before, input }) => before === undefined && isChosen(input))
  if (created.length === 0) return errors
  const known = await domains.list(tx, orgId)
  const firstOf = ({ after }: Plan) => after.public_slug.split('/', 1)[0] ?? ''
  const isShown = await domains.findShown(tx, orgId, [...new Set(created.map(firstOf))])
  const names = [...known.values()].map(({ name }) => name)
  const taken = await findTakenKeys(
    tx,
    orgId,
    created.flatMap(({ after }) => rivalKeys(orgId, after, names)),
  )
  for (const plan of created) {
    const { index, after } = plan
    if (after.domain_id !== null && known.get(after.domain_id)?.isVerified !== true) {
      const problem = 'there is no verified custom domain with this id in your organisation'
      errors.set(index, unprocessable('domain_id', after.domain_id, problem))
    } else if (
      isShown(after.domain_id, firstOf(plan)) ||
      rivalKeys(orgId, after, names).some((key) => taken.has(key))
    ) {
      errors.set(index, slugTaken(after.public_slug))
    }
  }
  return errors
}

/**
 * A code without a domain works on every domain of its organisation. So a slug cannot be meant on all of them and on one of
 * them: a printed code would change its meaning. Drawn slugs are left out, because they do not meet.
 */
function rivalKeys(orgId: OrgId, { public_slug, domain }: QrCodeRow, names: readonly string[]): string[] {
  if (public_slug === '') return []
  const rivals = domain === null ? names : [null]
  return rivals.map((name) => codeKey(orgId, { public_slug, domain: name }))
}

/** A request that changes a code may repeat its address, so that an import can be repeated. */
function checkKept({ public_slug, domain_id }: QrCodeCreate, before: QrCodeRow): ApiError | undefined {
  const problem = 'the address of a code never changes'
  if (public_slug !== undefined && public_slug !== before.public_slug)
    return unprocessable('public_slug', public_slug, problem)
  if (domain_id !== undefined && domain_id !== before.domain_id) return unprocessable('domain_id', domain_id, problem)
  return undefined
}

const SLUGS_PER_QUERY = 1000

/** Whether a code of this domain begins with a part that something else would show. Reads all of them. */
export async function hasCodeWhere(
  db: Db,
  orgId: OrgId,
  domainId: string,
  isShown: (part: string) => boolean,
): Promise<boolean> {
  for (let after = ''; ; ) {
    const slugs = await selectSlugsOn(db, orgId, domainId, after, SLUGS_PER_QUERY)
    if (slugs.some((slug) => isShown(slug.split('/', 1)[0] ?? ''))) return true
    if (slugs.length < SLUGS_PER_QUERY) return false
    after = slugs.at(-1) as string
  }
}
