import { findOrganisationIds } from '../modules/account/organisations/index.ts'
import {
  loadTargets,
  productSlug,
  TARGETS_TOPIC,
  type Target,
  type TargetRule,
  targetKey,
} from '../modules/codes/scan-targets/index.ts'
import { type StoredScan, scanEvents, scannedEvent } from '../modules/codes/scans/index.ts'
import { DOMAINS_TOPIC, findVerifiedDomains } from '../modules/domains/custom-domains/index.ts'
import { findSubscribedTypes, SUBSCRIPTIONS_TOPIC } from '../modules/webhooks/webhooks/index.ts'
import type { Clock } from '../platform/clock/index.ts'
import type { Database, Listener } from '../platform/db/index.ts'
import type { OrgId } from '../platform/ids/index.ts'
import type { ScanAddress } from './address.ts'
import { Memory, type MemoryOptions } from './memory.ts'

/** What was scanned, and all that decides about it. */
export interface Resolved {
  kind: StoredScan['target_kind']
  orgId: OrgId
  id: string
  rule: TargetRule | null
  group: TargetRule | null
  /** Whether somebody wants to hear of the scan. */
  announced: boolean
}

export interface HostRules {
  ownHosts: readonly string[]
  /** A bare start does not know under which name it is reached. */
  acceptsAnyHost: boolean
}

const TARGETS_BYTES = 64 * 1024 * 1024
const OTHERS_BYTES = 8 * 1024 * 1024
const SCAN_EVENTS = Object.keys(scanEvents)

/** A memory of whatever. */
type AnyMemory = Pick<Memory<unknown>, 'peek' | 'find' | 'forget' | 'told'>
type Question = [memory: AnyMemory, key: string]

/** From an address on a thing to its rule, from memory wherever it is fresh. */
export class Resolver {
  readonly #rules: HostRules
  readonly #targets: Memory<Target>
  readonly #domains: Memory<OrgId>
  readonly #organisations: Memory<OrgId>
  readonly #subscriptions: Memory<Set<string>>
  readonly #stopListening: () => void

  constructor(database: Database, rules: HostRules, clock: Clock) {
    this.#rules = rules
    const { read } = database
    const availability = { isAway: false }
    const remember = <Value>(load: MemoryOptions<Value>['load'], bytesMax: number, sizeOf: (value: Value) => number) =>
      new Memory<Value>({ load, bytesMax, sizeOf, clock, availability })
    this.#targets = remember(
      async (keys) => new Map((await loadTargets(read, keys)).map((target) => [target.key, target])),
      TARGETS_BYTES,
      (target) => JSON.stringify(target).length,
    )
    this.#domains = remember(
      (hosts) => findVerifiedDomains(read, hosts),
      OTHERS_BYTES,
      () => 50,
    )
    this.#organisations = remember(
      (slugs) => findOrganisationIds(read, slugs),
      OTHERS_BYTES,
      () => 50,
    )
    this.#subscriptions = remember(
      async (ids) => {
        const found = new Map<string, Set<string>>()
        for (const id of ids) found.set(id, await findSubscribedTypes(read, id as OrgId, SCAN_EVENTS))
        return found
      },
      OTHERS_BYTES,
      (types) => 50 + 20 * types.size,
    )
    this.#stopListening = database.listen(this.#listener())
  }

  /** At once, from memory: what was scanned, null when nothing was; undefined when somebody has to be asked. */
  peek(address: ScanAddress, host: string): Resolved | null | undefined {
    const steps = this.#steps(address, host)
    let step = steps.next()
    while (!step.done) {
      const [memory, key] = step.value
      const known = memory.peek(key)
      if (known === undefined) return undefined
      step = steps.next(known)
    }
    return step.value
  }

  async find(address: ScanAddress, host: string): Promise<Resolved | null> {
    const steps = this.#steps(address, host)
    let step = steps.next()
    while (!step.done) {
      const [memory, key] = step.value
      step = steps.next((await memory.find(key)) ?? null)
    }
    return step.value
  }

  close(): void {
    this.#stopListening()
  }

  /** One question after the other; whoever drives it answers from memory, or waits for the database. */
  *#steps(address: ScanAddress, host: string): Generator<Question, Resolved | null, unknown> {
    const isOwn = this.#rules.ownHosts.includes(host)
    const domainOf = isOwn ? null : ((yield [this.#domains, host]) as OrgId | null)
    if (!isOwn && domainOf === null && !this.#rules.acceptsAnyHost) return null

    const key = yield* this.#keyOf(address, domainOf)
    if (key === null) return null
    const target = (yield [this.#targets, key]) as Target | null
    if (target === null || (domainOf !== null && domainOf !== target.orgId)) return null
    const { orgId, id, rule } = target
    const group = rule?.group == null ? null : ((yield [this.#targets, rule.group]) as Target | null)
    const types = (yield [this.#subscriptions, orgId]) as Set<string> | null
    const { kind } = address
    return { kind, orgId, id, rule, group: group?.rule ?? null, announced: types?.has(scannedEvent(kind)) === true }
  }

  *#keyOf(address: ScanAddress, domainOf: OrgId | null): Generator<Question, string | null, unknown> {
    if (address.kind !== 'product') return targetKey(address.kind, address.slug)
    const { organisation, gtin } = address
    const orgId = organisation === null ? domainOf : ((yield [this.#organisations, organisation]) as OrgId | null)
    return orgId === null ? null : targetKey('product', productSlug(orgId, gtin))
  }

  #listener(): Listener {
    const byTopic: Record<string, AnyMemory> = {
      [TARGETS_TOPIC]: this.#targets,
      [DOMAINS_TOPIC]: this.#domains,
      [SUBSCRIPTIONS_TOPIC]: this.#subscriptions,
    }
    const all = [this.#targets, this.#domains, this.#organisations, this.#subscriptions]
    const tell = (isTold: boolean) => {
      for (const memory of all) memory.told(isTold)
    }
    return {
      changed: (topic, key) => byTopic[topic]?.forget(key),
      interrupted: () => tell(false),
      resumed: () => tell(true),
    }
  }
}
