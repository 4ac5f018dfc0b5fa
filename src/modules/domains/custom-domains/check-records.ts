import type { DnsAnswer, DnsClient } from '../../../platform/dns/index.ts'
import type { DomainCheck } from './contract.ts'
import { type DomainTargets, ownershipRecord, pointingRecords } from './stored-domain.ts'
import type { CheckOutcome } from './verification.ts'

/** What was looked up for a domain, and what follows from it. */
export interface CheckedRecords {
  checks: DomainCheck[]
  outcome: CheckOutcome
}

type Verdict = CheckOutcome & { checks: DomainCheck[] }

/** Anybody can store anything in DNS. */
const FOUND_MAX = 10
const FOUND_LENGTH_MAX = 255
/** How many names may refer to each other. Providers need two or three. */
const CHAIN_MAX = 8

/** Looks up the ownership and the pointing of a domain. Takes as long as a few look-ups, all of which have a limit. */
export async function checkRecords(
  dns: Pick<DnsClient, 'lookUp'>,
  domain: { domain: string; token: string },
  targets: DomainTargets,
): Promise<CheckedRecords> {
  const verdicts = await Promise.all([checkOwnership(dns, domain), checkPointing(dns, domain.domain, targets)])
  const checks = verdicts.flatMap((verdict) => verdict.checks)
  // A check that is not sure of everything changes nothing.
  if (verdicts.some(({ kind }) => kind === 'failed')) return { checks, outcome: { kind: 'failed' } }
  const problems = verdicts.flatMap((verdict) => (verdict.kind === 'wrong' ? [verdict.problem] : []))
  const outcome: CheckOutcome =
    problems.length === 0 ? { kind: 'right' } : { kind: 'wrong', problem: problems.join(' ') }
  return { checks, outcome }
}

async function checkOwnership(
  dns: Pick<DnsClient, 'lookUp'>,
  domain: { domain: string; token: string },
): Promise<Verdict> {
  const { type, domain: name, value: expected } = ownershipRecord(domain)
  const answer = await dns.lookUp(name, 'TXT')
  const values = valuesOf(answer)
  const ok = values.some((value) => value.trim() === expected)
  const checks = [{ type, domain: name, expected, found: shorten(values), ok }]
  if (answer.kind === 'failed') return { kind: 'failed', checks }
  if (ok) return { kind: 'right', checks }
  const problem = values.length === 0 ? `There is no TXT record at ${name}.` : `The TXT record at ${name} is wrong.`
  return { kind: 'wrong', problem, checks }
}

/** Right if the domain is another name for our host, or if all its addresses are ours. */
async function checkPointing(dns: Pick<DnsClient, 'lookUp'>, domain: string, targets: DomainTargets): Promise<Verdict> {
  const [chain, a, aaaa] = await Promise.all([
    followNames(dns, domain, targets.cname),
    dns.lookUp(domain, 'A'),
    dns.lookUp(domain, 'AAAA'),
  ])
  const addresses = [...valuesOf(a), ...valuesOf(aaaa)]
  const ours = new Set([...targets.a, ...targets.aaaa].map(canonical))
  const isOurs = (address: string) => chain.isOurs || ours.has(canonical(address))
  let isTargetKnown = true
  // Some providers answer with the addresses of our host instead of its name.
  if (!addresses.every(isOurs)) {
    const own = await Promise.all([dns.lookUp(targets.cname, 'A'), dns.lookUp(targets.cname, 'AAAA')])
    for (const address of own.flatMap(valuesOf)) ours.add(canonical(address))
    isTargetKnown = own.every(({ kind }) => kind !== 'failed')
  }
  const strangers = addresses.filter((address) => !isOurs(address))
  const decide = (): CheckOutcome['kind'] => {
    if (chain.isOurs) return 'right'
    if (strangers.length > 0) return isTargetKnown && !chain.hasFailed ? 'wrong' : 'failed'
    if (a.kind === 'failed' || aaaa.kind === 'failed') return 'failed'
    if (addresses.length > 0) return 'right'
    return chain.hasFailed ? 'failed' : 'wrong'
  }
  const kind = decide()
  const checks = pointingChecks(domain, targets, { A: a, AAAA: aaaa }, chain.names, kind === 'right', isOurs)
  if (kind !== 'wrong') return { kind, checks }
  const where = shorten(chain.names.length > 0 ? chain.names.slice(-1) : strangers).join(', ')
  const wanted = checks[0]?.type === 'CNAME' ? targets.cname : [...targets.a, ...targets.aaaa].join(', ')
  const problem = where === '' ? `${domain} has no address.` : `${domain} points to ${where} instead of ${wanted}.`
  return { kind, problem, checks }
}

/** One check for each type of record that is wanted or was found. */
function pointingChecks(
  domain: string,
  targets: DomainTargets,
  answers: Record<'A' | 'AAAA', DnsAnswer>,
  names: readonly string[],
  isRight: boolean,
  isOurs: (address: string) => boolean,
): DomainCheck[] {
  const records = pointingRecords(domain, targets)
  if (records[0]?.type === 'CNAME') {
    const found = names.length > 0 ? names : [...valuesOf(answers.A), ...valuesOf(answers.AAAA)]
    return [{ type: 'CNAME', domain, expected: targets.cname, found: shorten(found), ok: isRight }]
  }
  return (['A', 'AAAA'] as const).flatMap((type) => {
    const expected = records.filter((record) => record.type === type).map(({ value }) => value)
    const found = valuesOf(answers[type])
    if (expected.length === 0 && found.length === 0) return []
    // One of the two is enough, but the other must not lead anywhere else.
    const ok = found.length > 0 ? found.every(isOurs) : isRight
    return [{ type, domain, expected: expected.join(', '), found: shorten(found), ok }]
  })
}

/** The names that a name refers to, one after the other, up to ours. */
async function followNames(
  dns: Pick<DnsClient, 'lookUp'>,
  domain: string,
  target: string,
): Promise<{ names: string[]; isOurs: boolean; hasFailed: boolean }> {
  const names: string[] = []
  let name = domain
  while (names.length < CHAIN_MAX) {
    const answer = await dns.lookUp(name, 'CNAME')
    const next = valuesOf(answer)[0]
    if (next === undefined || names.includes(next)) return { names, isOurs: false, hasFailed: answer.kind === 'failed' }
    names.push(next)
    if (next === target.toLowerCase()) return { names, isOurs: true, hasFailed: false }
    name = next
  }
  return { names, isOurs: false, hasFailed: false }
}

const valuesOf = (answer: DnsAnswer): string[] => (answer.kind === 'found' ? answer.values : [])

const shorten = (values: readonly string[]): string[] =>
  values.slice(0, FOUND_MAX).map((value) => value.slice(0, FOUND_LENGTH_MAX))

/** An IPv6 address can be written in many ways. */
const canonical = (address: string): string =>
  address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
