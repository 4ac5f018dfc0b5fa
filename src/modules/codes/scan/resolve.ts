import type { Clock } from '../../../platform/clock/index.ts'
import type { Database, Listener } from '../../../platform/db/index.ts'
import { LookupCache, type LookupCacheOptions } from '../../../platform/db/lookup-cache.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import {
  findOrganisationIds,
  findRedirectStatus,
  ORGANISATIONS_TOPIC,
  type RedirectStatus,
  SLUGS_TOPIC,
} from '../../account/organisations/index.ts'
import type { PublicHosts, ShownDomain } from '../../domains/custom-domains/index.ts'
import { findSubscribedTypes, SUBSCRIPTIONS_TOPIC } from '../../webhooks/webhooks/index.ts'
import { isOpenEnded, REST } from '../gs1/index.ts'
import { listGs1KeyPrefixes } from '../objects/index.ts'
import {
  domainNamespace,
  gs1KeySlug,
  productSlug,
  SLUG_PATTERN,
  TARGETS_TOPIC,
  type TargetSetup,
  targetKey,
} from '../scan-targets/index.ts'
import { type StoredScan, scanEvents, scannedEvent } from '../scans/index.ts'
import { type Gs1Address, isGs1Address, type ScanAddress } from './address.ts'
import { compiledOf, rulesOf, type Situation, situationAt } from './decide.ts'
import { type LinkedTarget, loadLinkedTargets } from './gs1/linked-targets.ts'
import type { OfferedLink } from './gs1/offered-links.ts'
import { LoadedValues, type LookUp, peekInCache } from './look-up.ts'
import { loadProperties } from './properties.ts'

/** The scanned target, with everything that decides about the scan. */
export interface Resolved {
  kind: StoredScan['target_kind']
  orgId: OrgId
  id: string
  setup: TargetSetup | null
  group: TargetSetup | null
  /** The object that a code is stuck on. */
  object: TargetSetup | null
  /** The id of that object, or of the scanned one. */
  objectId: string | null
  /** The properties of the scanned thing, if its rules ask for them. */
  properties: ReadonlyMap<string, string> | null
  /** The links of a product. */
  links: readonly OfferedLink[]
  /** The GS1 key under which an object was found. */
  gs1Key: string | null
  /** The custom domain that was scanned, as the beginning of an address. Null on our own host. */
  domainUrl: string | null
  /** Whether a webhook endpoint subscribes to the event of this scan. */
  hasSubscribers: boolean
  redirectStatus: RedirectStatus
}

/** What the organisation says about all of its scans. */
interface ScanSettings {
  redirectStatus: RedirectStatus
  subscribedTypes: ReadonlySet<string>
}

const TARGETS_BYTES = 64 * 1024 * 1024
const OTHERS_BYTES = 8 * 1024 * 1024
const SCAN_EVENTS = Object.keys(scanEvents)

/** The organisation of an object that is found by its GS1 key. */
const organisationOf = (key: string): string => key.slice(key.indexOf(':') + 1, key.indexOf('/'))

/** Finds the target of a scanned address and its setup, from caches wherever they are fresh. */
export class Resolver {
  readonly #hosts: PublicHosts
  readonly #targets: LookupCache<LinkedTarget>
  readonly #organisations: LookupCache<OrgId>
  readonly #settings: LookupCache<ScanSettings>
  /** Looked up only for rules that ask for them, by the key of the target that has them. */
  readonly #properties: LookupCache<ReadonlyMap<string, string>>
  readonly #clock: Clock
  /** The GS1 keys of an organisation that stand for many, without their end; the longest first. */
  readonly #prefixes: LookupCache<readonly string[]>
  readonly #stopListening: () => void

  constructor(database: Database, hosts: PublicHosts, clock: Clock) {
    this.#hosts = hosts
    this.#clock = clock
    const { read } = database
    const { availability } = hosts
    const createCache = <Value>(
      load: LookupCacheOptions<Value>['load'],
      bytesMax: number,
      sizeOf: (value: Value) => number,
    ) => new LookupCache<Value>({ load, bytesMax, sizeOf, clock, availability })
    this.#targets = createCache(
      (keys) => loadLinkedTargets(read, keys),
      TARGETS_BYTES,
      (target) => JSON.stringify(target).length,
    )
    this.#organisations = createCache(
      (slugs) => findOrganisationIds(read, slugs),
      OTHERS_BYTES,
      () => 50,
    )
    const loadEach =
      <Value>(loadOne: (orgId: OrgId) => Promise<Value>) =>
      async (ids: readonly string[]) => {
        const found = new Map<string, Value>()
        for (const id of ids) found.set(id, await loadOne(id as OrgId))
        return found
      }
    this.#settings = createCache(
      loadEach<ScanSettings>(async (orgId) => ({
        redirectStatus: await findRedirectStatus(read, orgId),
        subscribedTypes: await findSubscribedTypes(read, orgId, SCAN_EVENTS),
      })),
      OTHERS_BYTES,
      ({ subscribedTypes }) => 60 + 20 * subscribedTypes.size,
    )
    this.#properties = createCache(
      (keys) => loadProperties(read, keys),
      OTHERS_BYTES,
      (properties) => [...properties].reduce((bytes, [key, value]) => bytes + 2 * (key.length + value.length), 50),
    )
    this.#prefixes = createCache(
      loadEach<readonly string[]>((orgId) => listGs1KeyPrefixes(read, orgId)),
      OTHERS_BYTES,
      (prefixes) => 50 + prefixes.join('').length,
    )
    this.#stopListening = database.listen(this.#listener())
  }

  /** The keys are the names of the caches in metrics. */
  get caches() {
    return {
      scan_targets: this.#targets,
      scan_organisations: this.#organisations,
      scan_settings: this.#settings,
      scan_gs1_prefixes: this.#prefixes,
      scan_properties: this.#properties,
    }
  }

  /** Resolves from the caches alone. Returns null for an unknown address, undefined if something must be loaded. */
  peek(address: ScanAddress, host: string): Resolved | null | undefined {
    return this.#resolve(address, host, peekInCache)
  }

  /** Loads one missing value after the other, until the address can be resolved. */
  async find(address: ScanAddress, host: string): Promise<Resolved | null> {
    const loaded = new LoadedValues()
    for (;;) {
      const resolved = this.#resolve(address, host, loaded.lookUp)
      if (resolved !== undefined) return resolved
      await loaded.loadMissing()
    }
  }

  close(): void {
    this.#stopListening()
  }

  /** Returns undefined as soon as a lookup does. */
  #resolve(address: ScanAddress, host: string, lookUp: LookUp): Resolved | null | undefined {
    const isOwnHost = this.#hosts.isOwn(host)
    const domain = isOwnHost ? null : lookUp(this.#hosts.domains, host)
    if (domain === undefined) return undefined
    if (!isOwnHost && domain === null && !this.#hosts.acceptsAnyHost) return null

    const target = this.#targetOf(address, domain, lookUp)
    if (target === null && 'whole' in address) {
      const other = this.#otherAddressOf(address, domain?.orgId ?? null, lookUp)
      return other && this.#resolve(other, host, lookUp)
    }
    if (target == null) return target
    const { orgId, id, setup, links } = target
    if (domain !== null && domain.orgId !== orgId) return null

    const group = setup?.group == null ? null : lookUp(this.#targets, setup.group)
    if (group === undefined) return undefined
    const found = setup?.object === undefined ? null : lookUp(this.#targets, setup.object)
    if (found === undefined) return undefined
    const object = found?.setup == null ? null : found
    const settings = lookUp(this.#settings, orgId)
    if (settings === undefined) return undefined
    const { kind } = address
    const situation = { setup, group: group?.setup ?? null, object: object?.setup ?? null }
    const key = object === null ? target.key : object.key
    const properties = this.#needsProperties(situation) ? lookUp(this.#properties, key) : null
    if (properties === undefined) return undefined
    return {
      kind,
      orgId,
      id,
      ...situation,
      objectId: kind === 'object' ? id : (object?.id ?? null),
      properties,
      links,
      gs1Key: 'gs1Key' in address ? address.gs1Key : null,
      domainUrl: domain?.url ?? null,
      hasSubscribers: settings?.subscribedTypes.has(scannedEvent(kind)) === true,
      redirectStatus: settings?.redirectStatus ?? 302,
    }
  }

  #needsProperties(situation: Situation): boolean {
    const rules = rulesOf(situationAt(situation, this.#clock()))
    return rules !== undefined && compiledOf(rules).usesProperties
  }

  /** Where an object may be found whose exact key nobody has: under the key without qualifiers, or under the start of it. */
  #otherAddressOf(
    address: Gs1Address & { kind: 'object' },
    domainOrgId: OrgId | null,
    lookUp: LookUp,
  ): Gs1Address | null | undefined {
    const { gs1Key, whole } = address
    if (whole || !isOpenEnded(gs1Key) || gs1Key.endsWith(REST)) return whole
    const orgId = this.#orgIdOf(address, domainOrgId, lookUp)
    const prefixes = orgId && lookUp(this.#prefixes, orgId)
    const prefix = prefixes?.find((each) => gs1Key.startsWith(each))
    return prefix === undefined ? (prefixes === undefined ? undefined : null) : { ...address, gs1Key: prefix + REST }
  }

  /**
   * On a custom domain, a slug is that of a code which works on all hosts of the organisation, or on this domain alone: never
   * both, so they can be looked up in either order. A drawn slug is nearly always one of the first kind, another one of the
   * second.
   */
  #targetOf(address: ScanAddress, domain: ShownDomain | null, lookUp: LookUp): LinkedTarget | null | undefined {
    const key = this.#keyOf(address, domain?.orgId ?? null, lookUp)
    if (key == null) return key
    if (domain === null || address.kind !== 'qr_code') return lookUp(this.#targets, key)
    const own = targetKey('qr_code', domainNamespace(domain.orgId, domain.name) + address.slug)
    for (const each of SLUG_PATTERN.test(address.slug) ? [key, own] : [own, key]) {
      const target = lookUp(this.#targets, each)
      if (target === undefined || target?.orgId === domain.orgId) return target
    }
    return null
  }

  #keyOf(address: ScanAddress, domainOrgId: OrgId | null, lookUp: LookUp): string | null | undefined {
    if (!isGs1Address(address)) return targetKey(address.kind, address.slug)
    const orgId = this.#orgIdOf(address, domainOrgId, lookUp)
    if (orgId == null) return orgId
    const slug = address.kind === 'product' ? productSlug(orgId, address.gtin) : gs1KeySlug(orgId, address.gs1Key)
    return targetKey(address.kind, slug)
  }

  #orgIdOf({ organisation }: Gs1Address, domainOrgId: OrgId | null, lookUp: LookUp): OrgId | null | undefined {
    return organisation === null ? domainOrgId : lookUp(this.#organisations, organisation)
  }

  #listener(): Listener {
    const byTopic: Record<string, Pick<LookupCache<unknown>, 'invalidate'>> = {
      [TARGETS_TOPIC]: { invalidate: (key) => this.#targetChanged(key) },
      [SUBSCRIPTIONS_TOPIC]: this.#settings,
      [ORGANISATIONS_TOPIC]: this.#settings,
      [SLUGS_TOPIC]: this.#organisations,
    }
    const caches = Object.values(this.caches)
    const setListening = (isListening: boolean) => {
      for (const cache of caches) cache.setListening(isListening)
    }
    return {
      changed: (topic, key) => byTopic[topic]?.invalidate(key),
      interrupted: () => setListening(false),
      resumed: () => setListening(true),
    }
  }

  /** A key that stands for many is also in the list of its organisation. */
  #targetChanged(key: string): void {
    this.#targets.invalidate(key)
    this.#properties.invalidate(key)
    if (key.endsWith(REST)) this.#prefixes.invalidate(organisationOf(key))
  }
}
