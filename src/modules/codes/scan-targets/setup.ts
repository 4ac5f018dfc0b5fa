import { toMs } from '../../../platform/clock/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { StoredRules } from '../decisions/index.ts'
import {
  type DestinationRef,
  destinationKey,
  findDestinationUrls,
  findObjectSlugs,
  type Status,
  toDestinationRef,
} from '../destinations/index.ts'
import type { StoredRulesDocument } from '../rules/contract.ts'
import { type Extras, loadExtras, type ScheduledState, type TargetSource } from '../versions/index.ts'
import { targetKey } from './keys.ts'

/** `address` is an absolute URL, or a path on our own host. */
export interface SetupDestination {
  type: DestinationRef['type']
  id: string | null
  address: string
}

/** The rules of a target. A destination that was deleted is null. */
export type SetupRules = StoredRules<SetupDestination | null>

/** What changes at a moment in the future. What is left out stays as it is by then. */
export interface ScheduledSetup {
  atMs: number
  version: number
  status?: Status
  destination?: SetupDestination | null
  rules?: SetupRules | null
}

/** Everything that decides what a scan shows. Those of older releases lack what is optional. */
export interface TargetSetup {
  status: Status
  destination: SetupDestination | null
  params: [key: string, value: string][]
  /** The key of the group whose setup applies while this target is unconfigured, and whose rules apply if it has none. */
  group: string | null
  /** The key of the object that a code is stuck on. */
  object?: string
  rules?: SetupRules
  /** Which version of the target this is, if not the first one. */
  version?: number
  scheduled?: ScheduledSetup[]
}

/** What setups are made of, besides the columns of their owners. */
interface SetupParts {
  addresses: ReadonlyMap<string, string>
  extrasOf: (ownerId: string) => Extras
  /** The public slugs of objects, by id. */
  objectSlugs: ReadonlyMap<string, string>
}

/** Reads what the setups of these owners are made of. `known` are addresses that were looked up before, by `destinationKey`. */
export async function findSetupParts(
  db: Db,
  orgId: OrgId,
  sources: readonly TargetSource[],
  known: ReadonlyMap<string, string> = new Map(),
): Promise<SetupParts> {
  const extrasOf = await loadExtras(db, orgId, sources)
  const refs = sources.flatMap((source) => [...toRefs(toDestinationRef(source)), ...refsIn(extrasOf(source.id))])
  const unknown = refs.filter((ref) => !known.has(destinationKey(ref)))
  const found = unknown.length === 0 ? known : await findDestinationUrls(db, orgId, unknown)
  const objectIds = new Set(sources.flatMap(({ object_id }) => object_id ?? []))
  return {
    addresses: new Map([...known, ...found]),
    extrasOf,
    objectSlugs: objectIds.size === 0 ? new Map() : await findObjectSlugs(db, orgId, [...objectIds]),
  }
}

/** A destination that does not exist any more is none. */
export function toTargetSetup(source: TargetSource, params: TargetSetup['params'], parts: SetupParts): TargetSetup {
  const { addresses, extrasOf, objectSlugs } = parts
  const { rules, scheduled } = extrasOf(source.id)
  const articleId = source.destination_article_id
  const destination = toSetupDestination(toDestinationRef(source), addresses)
  const objectSlug = source.object_id == null ? undefined : objectSlugs.get(source.object_id)
  return {
    status: source.status,
    // The help centre redirects to the article, or to its home page: it knows who may read what, and under which address.
    destination:
      destination === null || articleId === null
        ? destination
        : { ...destination, address: `${destination.address}/a/${articleId}` },
    params,
    group: source.group_id == null ? null : targetKey('qr_group', source.group_id),
    ...(objectSlug !== undefined && { object: targetKey('object', objectSlug) }),
    ...(rules !== null && { rules: toSetupRules(rules, source.rules_version as number, addresses) }),
    ...(source.version > 1 && { version: source.version }),
    ...(scheduled.length > 0 && { scheduled: scheduled.map((each) => toScheduledSetup(each, addresses)) }),
  }
}

const toSetupDestination = (
  ref: DestinationRef | null,
  addresses: ReadonlyMap<string, string>,
): SetupDestination | null => {
  const address = ref === null ? undefined : addresses.get(destinationKey(ref))
  return ref === null || address === undefined ? null : { type: ref.type, id: ref.id, address }
}

export const toSetupRules = (
  { time_zone, rules }: Pick<StoredRulesDocument, 'time_zone' | 'rules'>,
  version: number,
  addresses: ReadonlyMap<string, string>,
): SetupRules => ({
  version,
  timeZone: time_zone,
  rules: rules.map(({ then, ...rule }) => ({
    ...rule,
    then:
      'destination' in then
        ? { destination: toSetupDestination(then.destination, addresses) }
        : {
            split: then.split.map((each) => ({
              ...each,
              destination: toSetupDestination(each.destination, addresses),
            })),
          },
  })),
})

function toScheduledSetup(
  { version, effectiveAt, change, rules }: Extras['scheduled'][number],
  addresses: ReadonlyMap<string, string>,
): ScheduledSetup {
  const { status, destination, rules_version } = change
  return {
    atMs: toMs(effectiveAt),
    version,
    ...(status !== undefined && { status }),
    ...(destination !== undefined && { destination: toSetupDestination(destination, addresses) }),
    ...(rules_version !== undefined && {
      rules: rules === null || rules_version === null ? null : toSetupRules(rules, rules_version, addresses),
    }),
  }
}

const toRefs = (ref: DestinationRef | null | undefined): DestinationRef[] => (ref == null ? [] : [ref])

/** All destinations that a document of rules names. */
export const refsInRules = ({ rules }: Pick<StoredRulesDocument, 'rules'>): DestinationRef[] =>
  rules.flatMap(({ then }) =>
    'destination' in then ? [then.destination] : then.split.map(({ destination }) => destination),
  )

const refsIn = ({ rules, scheduled }: Extras): DestinationRef[] => [
  ...(rules === null ? [] : refsInRules(rules)),
  ...scheduled.flatMap(({ change, rules }) => [
    ...toRefs((change as ScheduledState).destination),
    ...(rules === null ? [] : refsInRules(rules)),
  ]),
]
