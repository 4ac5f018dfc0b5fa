import { Updated } from '../../../platform/contract/index.ts'
import { type Db, lockRows, type Tx } from '../../../platform/db/index.ts'
import type { ApiError } from '../../../platform/errors/index.ts'
import { type Context, parsePayload } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import {
  type Changed,
  changeById,
  createOrChange,
  createOrChangeAll,
  createOrChangeBatch,
  createOrChangeSame,
  type Draft,
  type ItemPlan,
  ItemsRefused,
  type Kind,
} from '../create-or-change/index.ts'
import { settleState } from '../destinations/index.ts'
import { claimKeys, claimSlugs, domainNamespace } from '../scan-targets/index.ts'
import { FIRST_VERSION } from '../versions/index.ts'
import { type CodeDomains, checkAddresses, codeKey, lockAddresses, needDomains, slugTaken } from './addresses.ts'
import { type QrCode, type QrCodeBatch, QrCodeCreate, type QrCodes } from './contract.ts'
import { qrCodeEvents } from './events.ts'
import { createdAt, findFutureCodes, importedColumns } from './imported.ts'
import { insertCodes, lockCodesBy, type QrCodeRow, selectCodesBy, updateCodeRows } from './queries.ts'
import { toQrCode, unknownGroup, unknownObject, withInput } from './service.ts'

export interface CodeSettings {
  /** The address that the codes of the organisation begin with. */
  publicUrl: string
  domains: CodeDomains
}

/** Creates a code, or changes the one that already has this external id. */
export const createCode = async (
  ctx: Context,
  input: QrCodeCreate,
  settings: CodeSettings,
): Promise<QrCode | Updated<QrCode>> => createOrChange(ctx, await codeKind(ctx, [input], settings), input)

/** All codes or none. */
export async function createCodes(
  ctx: Context,
  input: QrCodeBatch,
  settings: CodeSettings,
): Promise<QrCodes | Updated<QrCodes>> {
  const { count, name_prefix, items, ...shared } = input
  const toList = (data: QrCode[]): QrCodes => ({ object: 'list', data })
  if (items === undefined) {
    const name = (n: number) => (name_prefix === undefined ? {} : { name: `${name_prefix} ${n + 1}` })
    const same = Array.from({ length: count ?? 0 }, (_, n) => ({ ...name(n), ...shared }))
    const kind = await codeKind(ctx, same, settings)
    return createOrChangeSame(ctx, kind, same, (done) => toList(done.map(({ resource }) => resource)))
  }
  return createOrChangeAll(ctx, await codeKind(ctx, items, settings), items, (done) => {
    const list = toList(done.map(({ resource }) => resource))
    return done.some(({ result }) => result === 'created') ? list : new Updated(list)
  })
}

/** What can be done of a batch is done. Returns what became of each item, in order. */
export const importCodes = async (ctx: Context, items: readonly QrCodeCreate[], settings: CodeSettings) =>
  createOrChangeBatch(
    ctx,
    { ...(await codeKind(ctx, items, settings)), keyField: 'external_id' as const },
    { mode: 'each', items },
    [],
  )

/** Returns those of the external ids that codes have. */
export const findImported = async (db: Db, orgId: OrgId, externalIds: readonly string[]): Promise<Set<string>> =>
  new Set((await selectCodesBy(db, orgId, 'external_id', externalIds)).map(({ external_id }) => external_id as string))

/** Changes codes that exist, with the same effects as a PATCH of each. */
export const changeCodes = async (
  tx: Tx,
  ctx: Context,
  ids: readonly string[],
  decide: (row: QrCodeRow) => Partial<QrCodeCreate> | undefined,
  settings: CodeSettings,
): Promise<Map<string, Changed<QrCodeRow>>> => changeById(tx, ctx, await codeKind(ctx, [], settings), ids, decide)

export const parseCode = (input: unknown): QrCodeCreate => parsePayload(QrCodeCreate, input)

async function codeKind(
  ctx: Context,
  inputs: readonly QrCodeCreate[],
  { publicUrl, domains }: CodeSettings,
): Promise<Kind<QrCodeCreate, QrCodeRow, QrCode>> {
  // The name of a domain never changes. Whether it is verified is looked up once more, in the transaction.
  const known = needDomains(inputs) ? await domains.list(ctx.read, ctx.orgId) : undefined
  return {
    object: 'qr_code',
    events: qrCodeEvents,
    keyField: 'external_id',
    uniqueIndexes: ['qr_codes_org_external_id_key'],
    rows: { selectAllBy: selectCodesBy, lockAllBy: lockCodesBy },
    lock: async (tx, orgId, inputs) => {
      if (needDomains(inputs)) await lockAddresses(tx, orgId)
    },
    normalise: (input) => input,
    toNewRow: (input, id, now) => {
      const row = {
        id,
        group_id: input.group_id ?? null,
        object_id: input.object_id ?? null,
        external_id: input.external_id ?? null,
        public_slug: input.public_slug ?? '',
        domain_id: input.domain_id ?? null,
        domain: known?.get(input.domain_id ?? '')?.name ?? null,
        name: input.name ?? null,
        description: input.description ?? null,
        ...settleState(input),
        imported_scans: null,
        imported_from: null,
        ...FIRST_VERSION,
        created_at: createdAt(input.imported, now),
        updated_at: now,
        total_scans: 0,
        last_scanned_at: null,
      }
      return { ...row, ...importedColumns(input.imported, row) }
    },
    change: withInput,
    toResource: (row) => toQrCode(row, publicUrl),
    toSource: (row) => row,
    check: async (tx, orgId, plans) =>
      new Map([
        ...findFutureCodes(plans, ctx.now),
        ...(await checkAddresses(tx, orgId, plans, domains)),
        ...(await findUnknown(tx, orgId, plans, 'group_id')),
        ...(await findUnknown(tx, orgId, plans, 'object_id')),
      ]),
    claim: claimAddresses,
    insert: insertCodes,
    update: updateCodeRows,
    claimedKeys: (row) => [codeKey(ctx.orgId, row)],
    otherKeys: () => [],
  }
}

/** Draws the slugs that nobody chose, and claims the others. A slug that is taken is an error of its item. */
async function claimAddresses(tx: Tx, orgId: OrgId, drafts: readonly Draft<QrCodeRow>[]): Promise<QrCodeRow[]> {
  const drawn = drafts.filter(({ row }) => row.public_slug === '')
  const slugs = await claimSlugs(
    tx,
    orgId,
    'qr_code',
    drawn.map(({ row: { id, domain }, setup }) => ({
      id,
      setup,
      ...(domain !== null && { namespace: domainNamespace(orgId, domain) }),
    })),
  )
  const chosen = drafts.filter(({ row }) => row.public_slug !== '')
  const claimed = await claimKeys(
    tx,
    orgId,
    chosen.map(({ row, setup }) => ({ key: codeKey(orgId, row), id: row.id, setup })),
  )
  // `delete`, because two items may have the same slug: only the first of them gets it.
  const refused = chosen.filter(({ row }) => !claimed.delete(codeKey(orgId, row)))
  if (refused.length > 0)
    throw new ItemsRefused(new Map(refused.map(({ index, row }) => [index, slugTaken(row.public_slug)])))
  const slugOf = new Map(drawn.map(({ index }, n) => [index, slugs[n] as string]))
  return drafts.map(({ index, row }) => ({ ...row, public_slug: slugOf.get(index) ?? row.public_slug }))
}

/** What a code can belong to, by the field that names it. */
const PARENTS = { group_id: 'qr_groups', object_id: 'objects' } as const

/** Locks the groups or objects that items name, so that none is deleted before the codes are in it. */
async function findUnknown(
  tx: Tx,
  orgId: OrgId,
  plans: readonly ItemPlan<QrCodeCreate, QrCodeRow>[],
  field: keyof typeof PARENTS,
) {
  const ids = new Set(plans.flatMap(({ input }) => input[field] ?? []))
  const known = await lockRows(tx, orgId, PARENTS[field], [...ids], 'reference')
  const errors = new Map<number, ApiError>()
  for (const { index, input } of plans) {
    const id = input[field]
    if (id != null && !known.has(id)) errors.set(index, field === 'group_id' ? unknownGroup(id) : unknownObject(id))
  }
  return errors
}
