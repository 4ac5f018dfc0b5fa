import { timestamp, toMs } from '../../../platform/clock/index.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type Explanation, explain, type Facts, factsOf, PRINT } from '../decisions/index.ts'
import { findDestinationUrls } from '../destinations/index.ts'
import { selectProperties } from '../key-values/index.ts'
import { checkRules } from '../rules/index.ts'
import { refsInRules, type SetupDestination, toSetupRules } from '../scan-targets/index.ts'
import type { Simulation, SimulationRequest } from '../simulations/index.ts'
import { addParams } from './add-params.ts'
import { isGs1Address, type ScanAddress } from './address.ts'
import { decide, rulesOf, type ScanDecision, type Situation, situationAt } from './decide.ts'
import { domainOf } from './domain-of.ts'
import { decideScannedLink, type OfferedLink } from './gs1/index.ts'
import { readLinkRequest } from './gs1/link-request.ts'
import type { Resolved, Resolver } from './resolve.ts'
import type { ScanNumbers } from './scan-numbers.ts'
import { scanQuery } from './scan-query.ts'
import { findSimulated } from './simulated-address.ts'
import { situationOfThen } from './situation-of-then.ts'

export interface SimulationServices {
  resolver: Resolver
  numbers: ScanNumbers
  publicUrl: string
  /** Whether the installation can find out where visitors are. */
  knowsCountries: boolean
}

const NO_SALT = ''
const NO_COUNTRIES = 'this installation has no source for countries'

type Decided = ScanDecision | { notice: 'no_link' } | { links: readonly OfferedLink[] }

/** Decides about a scan that does not happen, with the code that decides about those that do. Records nothing. */
export async function simulate(
  services: SimulationServices,
  ctx: Context,
  request: SimulationRequest,
): Promise<Simulation> {
  const { resolver, publicUrl } = services
  const { address, host, search } = await findSimulated(ctx, request, publicUrl)
  const resolved = await resolver.find(address, host)
  if (resolved === null || resolved.orgId !== ctx.orgId)
    throw unprocessable('address', request.address, 'no code, object or product of your organisation has this address')
  const nowMs = toMs(ctx.now)
  const atMs = request.at === undefined ? nowMs : toMs(request.at)
  const situation = await findSituation(ctx, resolved, request, { atMs, nowMs })
  const query = scanQuery(search)
  const facts = await findFacts(services, ctx, { resolved, situation, address, query, request, atMs })
  const decision = isGs1Address(address)
    ? decideScannedLink(address, resolved, situation, () => facts, linkRequestOf(request))
    : decide(situation, () => facts)
  const rules = rulesOf(situation)
  await ctx.pause()
  const reasons = services.knowsCountries ? {} : { country: NO_COUNTRIES, region: NO_COUNTRIES }
  const explained = rules && explain(rules, facts, reasons)
  const destination = 'destination' in decision ? decision.destination : null
  const pairs = query.pairs.length > 0 ? query.pairs : Object.entries(request.query ?? {})
  const params = 'destination' in decision ? decision.params : []
  return {
    object: 'simulation',
    qr_code_id: resolved.kind === 'qr_code' ? resolved.id : null,
    object_id: resolved.objectId,
    product_id: resolved.kind === 'product' ? resolved.id : null,
    at: timestamp(atMs),
    version: situation.setup?.version ?? 1,
    ...outcomeOf(decision, explained),
    destination: {
      type: destination?.type ?? null,
      id: destination?.id ?? null,
      url: destination?.type === 'url' ? destination.address : null,
    },
    location: destination && addParams(urlOf(destination, resolved, publicUrl), params, pairs),
    steps: explained?.steps ?? [],
  }
}

/** With rules that are drafts, only the clock is of then. */
async function findSituation(
  ctx: Context,
  resolved: Resolved,
  { draft_rules }: SimulationRequest,
  { atMs, nowMs }: { atMs: number; nowMs: number },
): Promise<Situation> {
  if (draft_rules === undefined && atMs < nowMs) return situationOfThen(ctx.read, resolved, atMs)
  const situation = situationAt(resolved, atMs)
  if (draft_rules === undefined || situation.setup === null) return situation
  const document = await checkRules(ctx.read, ctx, draft_rules)
  const { rules: _, ...setup } = situation.setup
  if (document === null) return { ...situation, setup }
  const addresses = await findDestinationUrls(ctx.read, ctx.orgId, refsInRules(document))
  return { ...situation, setup: { ...setup, rules: toSetupRules(document, 0, addresses) } }
}

interface Imagined {
  resolved: Resolved
  situation: Situation
  address: ScanAddress
  query: ReturnType<typeof scanQuery>
  request: SimulationRequest
  atMs: number
}

async function findFacts(
  { numbers }: SimulationServices,
  ctx: Context,
  { resolved, situation, address, query, request, atMs }: Imagined,
): Promise<Facts> {
  await numbers.missing(resolved, situation)
  const { domainUrl, id, objectId } = resolved
  const properties = new Map(await selectProperties(ctx.read, ctx.orgId, objectId ?? id))
  return factsOf(request, {
    atMs,
    salt: NO_SALT,
    query: query.stored,
    via: query.via ?? PRINT,
    domain: domainOf(domainUrl),
    lot: address.kind === 'product' ? address.gs1.lot : null,
    serial: address.kind === 'product' ? address.gs1.serial : null,
    scanNumber: (of) => numbers.next(resolved, of),
    property: (key) => properties.get(key) ?? null,
  })
}

const linkRequestOf = ({ link_type, language, accept }: SimulationRequest) =>
  readLinkRequest(
    { ...(language !== undefined && { 'accept-language': language }), ...(accept !== undefined && { accept }) },
    link_type === undefined ? [] : [['linkType', link_type]],
  )

const urlOf = ({ type, address }: SetupDestination, { domainUrl }: Resolved, publicUrl: string): string =>
  type === 'url' ? address : (domainUrl ?? publicUrl) + address

const NOTICES = {
  paused: 'It is turned off, so the scan shows a page that says so.',
  not_set_up: 'It has no destination, so the scan shows a page that says so.',
  gone: 'It was deleted, so the scan shows a page that says so.',
  no_link: 'The product has no link of this type.',
} as const

type Outcome = Pick<Simulation, 'reason' | 'rule_id' | 'rules_version' | 'variant' | 'link' | 'sentence'>

function outcomeOf(decision: Decided, explained: Explanation<unknown> | undefined): Outcome {
  const nothing = { rule_id: null, rules_version: null, variant: null, link: null }
  if ('links' in decision) return { ...nothing, reason: 'link', sentence: 'A program gets all links of the product.' }
  const matched = 'matched' in decision ? decision.matched : undefined
  const rule = matched && {
    rule_id: matched.id,
    rules_version: matched.rulesVersion || null,
    variant: matched.variant,
  }
  const why = explained === undefined ? '' : `${explained.sentence} `
  if ('notice' in decision)
    return { ...nothing, ...rule, reason: decision.notice, sentence: why + NOTICES[decision.notice] }
  if (matched !== undefined)
    return { ...nothing, ...rule, reason: matched.variant === null ? 'rule' : 'split', sentence: why.trim() }
  if (decision.link !== undefined)
    return { ...nothing, reason: 'link', link: toLink(decision.link), sentence: sentenceOf(decision.link) }
  return { ...nothing, reason: 'default', sentence: `${why}The scan leads to the destination.` }
}

const toLink = ({ linkType, title, language, mediaType, lot, serial }: OfferedLink): Simulation['link'] => ({
  link_type: linkType,
  title,
  language,
  media_type: mediaType,
  lot,
  serial,
})

function sentenceOf({ title, linkType, language, lot, serial, isDefault }: OfferedLink): string {
  const scope = [lot !== null && `lot ${lot}`, serial !== null && `serial number ${serial}`].filter((each) => each)
  const details = [
    `of type ${linkType}`,
    language !== null && `in ${language}`,
    scope.length > 0 && `for ${scope.join(' and ')}`,
    isDefault && 'which is the default there',
  ]
  return `The link “${title}” suits best: ${details.filter((each) => each).join(', ')}.`
}
