/**
 * Three organisations may do anything with two names, in any order: a name is never verified for two of them, and nobody's
 * content is shown under a name that they have not verified.
 */
import { expect, inject, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import { announce, type Tx } from '../../../platform/db/index.ts'
import type { DnsAnswer, RecordType } from '../../../platform/dns/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { createRateLimiter } from '../../../platform/rate-limit/index.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { findShownDomains } from '../custom-domain-routes/index.ts'
import type { CheckedRecords } from './check-records.ts'
import { PublicHosts, Verification } from './index.ts'
import { deleteDomainRow, insertDomain } from './queries.ts'
import { DOMAINS_TOPIC, newDomainToken } from './stored-domain.ts'
import { firstCheckAt } from './verification.ts'

const harness = useHarness({ role: 'api' })
const STEPS = { sqlite: 3000, postgres: 300 }[inject('engine')]
const RUNNING_MAX = 5
/** Steps between two looks at what hosts show. */
const LOOK_EVERY = 25

const DOMAINS = ['acme.com', 'id.acme.com']
const TARGETS = { a: ['192.0.2.10'], aaaa: [], cname: 'go.waymark.example' }
const NO_MAILS = { toAdmins: async () => {} }

/** Random, but the same for the same seed. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    chance: (share: number) => next() < share,
    pick: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T,
  }
}

/** A check between its look-up and its end. */
interface Check extends CheckedRecords {
  tenant: Tenant
  id: string
  domain: string
  token: string
}

test(`holds for at least ${STEPS} random steps`, async () => {
  const { database } = harness.service
  const seed = Math.floor(Math.random() * 2 ** 31)
  const { chance, pick } = randomFrom(seed)
  const tenants = [await harness.createTenant(), await harness.createTenant(), await harness.createTenant()]
  let nowMs = harness.nowMs()
  const hosts = new PublicHosts(
    database,
    { ownHosts: [], acceptsAnyHost: false },
    (db, names) => findShownDomains(db, names, 'https://go.waymark.example'),
    () => nowMs,
  )

  // The world: the records of each name, and whether DNS answers.
  const texts = new Map(DOMAINS.map((domain) => [domain, new Set<string>()]))
  const points = new Set<string>()
  const silent = new Set<string>()
  const lookUp = async (name: string, type: RecordType): Promise<DnsAnswer> => {
    const domain = name.replace('_waymark-challenge.', '')
    if (silent.has(domain)) return { kind: 'failed', reason: 'ETIMEOUT' }
    const values = type === 'TXT' ? [...(texts.get(domain) ?? [])].map((token) => `waymark-verify=${token}`) : []
    if (type === 'A' && DOMAINS.includes(domain)) values.push(points.has(domain) ? '192.0.2.10' : '198.51.100.1')
    return values.length === 0 ? { kind: 'none' } : { kind: 'found', values }
  }
  const services = { dns: { lookUp }, limiter: createRateLimiter(database), mails: NO_MAILS, targets: TARGETS }
  const verification = new Verification(services)

  const selectAll = () =>
    database.kysely
      .selectFrom('custom_domains')
      .select(['org_id', 'id', 'domain', 'token', 'verified_at'])
      .where(
        'org_id',
        'in',
        tenants.map(({ orgId }) => orgId),
      )
      .execute()
  const running: Check[] = []
  /** When each domain of an organisation was last found to be right. */
  const rightAtMs = new Map<string, number>()
  const seen = { verified: 0, lost: 0, takenOver: 0 }

  let rows: Awaited<ReturnType<typeof selectAll>> = []
  let hasWritten = false
  const write = <T>(work: (tx: Tx) => Promise<T>) => {
    hasWritten = true
    return database.write(work)
  }
  const begin = async (tenant: Tenant, domain: string) => {
    const row = rows.find((one) => one.org_id === tenant.orgId && one.domain === domain)
    if (row === undefined || running.length === RUNNING_MAX) return
    running.push({ tenant, ...row, ...(await verification.check(tenant.orgId, row)) })
  }
  const finish = async () => {
    const check = pick(running)
    if (check === undefined) return undefined
    running.splice(running.indexOf(check), 1)
    const { orgId } = check.tenant
    await write((tx) => verification.store(tx, orgId, check.id, check, timestamp(nowMs)))
    return check
  }
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      const [tenant, domain, now] = [pick(tenants), pick(DOMAINS), timestamp(nowMs)]
      if (rows.some((row) => row.org_id === tenant.orgId && row.domain === domain)) return
      const none = {
        verified_at: null,
        last_checked_at: null,
        check_error: null,
        wrong_since: null,
        warned_at: null,
        fallback_url: null,
      }
      const row = { id: newId(), domain, token: newDomainToken(), schedule_from: null, check_due_at: firstCheckAt(now) }
      await write((tx) => insertDomain(tx, tenant.orgId, { ...none, ...row, created_at: now }, domain))
    },
    async () => {
      const row = pick(rows)
      if (row === undefined || !chance(0.1)) return
      await write(async (tx) => {
        await deleteDomainRow(tx, row.org_id as Tenant['orgId'], row.id)
        await announce(tx, DOMAINS_TOPIC, [row.domain])
      })
    },
    async () => {
      const row = pick(rows)
      if (row !== undefined && chance(0.3)) texts.get(row.domain)?.add(row.token)
    },
    async () => {
      const domain = pick(DOMAINS)
      if (chance(0.1)) texts.get(domain)?.clear()
    },
    async () => {
      const domain = pick(DOMAINS)
      if (chance(0.1)) points.delete(domain)
      else if (chance(0.3)) points.add(domain)
    },
    async () => {
      const domain = pick(DOMAINS)
      if (chance(0.2)) silent.add(domain)
      else silent.delete(domain)
    },
    async () => {
      nowMs += pick([MINUTE_MS, HOUR_MS, DAY_MS, 4 * DAY_MS])
    },
    ...Array.from({ length: 4 }, () => () => begin(pick(tenants), pick(DOMAINS))),
    ...Array.from({ length: 4 }, () => finish),
  ]

  // Until every state was reached, which takes about as long.
  for (let n = 1; n <= STEPS || Object.values(seen).includes(0); n++) {
    const check = (await pick(steps)()) as Check | undefined
    const where = `seed ${seed}, step ${n}`
    const after = hasWritten ? await selectAll() : rows
    hasWritten = false
    const holders = after.filter(({ verified_at }) => verified_at !== null)
    expect(new Set(holders.map(({ domain }) => domain)).size, where).toBe(holders.length)

    for (const row of after) {
      const was = rows.find(({ id }) => id === row.id)
      const isOwn = check?.id === row.id && check.token === was?.token
      if (isOwn && check.outcome.kind === 'right') rightAtMs.set(row.id, nowMs)
      if (was === undefined || (was.verified_at === null) === (row.verified_at === null)) continue
      if (row.verified_at !== null) {
        expect(isOwn && check.outcome.kind, `${where}: verified only by a proof`).toBe('right')
        seen.verified++
      } else if (isOwn) {
        expect(check.outcome.kind, `${where}: lost only because it was wrong`).toBe('wrong')
        expect(nowMs - (rightAtMs.get(row.id) ?? 0), where).toBeGreaterThanOrEqual(7 * DAY_MS)
        seen.lost++
      } else {
        const winner = holders.find(({ domain }) => domain === row.domain)
        expect(winner?.id, `${where}: taken over by the organisation that proved it`).toBe(check?.id)
        expect(row.token).not.toBe(was.token)
        seen.takenOver++
      }
    }
    rows = after
    if (n % LOOK_EVERY !== 0) continue
    for (const domain of DOMAINS) {
      const owner = holders.find((row) => row.domain === domain)?.org_id
      await eventually(async () => (await hosts.find(domain)) === owner)
    }
  }
  hosts.close()
})
