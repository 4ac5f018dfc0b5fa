import type { IncomingMessage } from 'node:http'
import { timestamp } from '../../../platform/clock/index.ts'
import { newIdAt } from '../../../platform/ids/index.ts'
import { isBot } from '../../../platform/user-agent/bots.ts'
import { type UserAgent, UserAgents } from '../../../platform/user-agent/user-agents.ts'
import { type TargetSetup, targetKey } from '../scan-targets/index.ts'
import { hashVisitor, type StoredScan } from '../scans/index.ts'
import type { ScanAddress } from './address.ts'
import type { ScanDecision } from './decide.ts'
import { domainOf } from './domain-of.ts'
import type { Resolved } from './resolve.ts'
import type { ScanQuery } from './scan-query.ts'
import { cleanReferrer, type Locator } from './visitor/index.ts'

const GROUP_KEY = targetKey('qr_group', '')

/** What is known about the visitor of a scan. */
export interface Visit {
  userAgent: UserAgent
  isBot: boolean
  location: ReturnType<Locator>
  visitor: string
}

/** A scan that was decided. */
interface Decided {
  /** That of the target, at this moment. */
  setup: TargetSetup | null
  visit: Visit
  decision: ScanDecision | { notice: 'no_link' }
  query: ScanQuery
  nowMs: number
}

/** Builds the row that is stored for a scan. */
export class ScanRowBuilder {
  readonly userAgents = new UserAgents()
  readonly #locate: Locator
  readonly #clientAddressOf: (request: IncomingMessage) => string

  constructor(locate: Locator, clientAddressOf: (request: IncomingMessage) => string) {
    this.#locate = locate
    this.#clientAddressOf = clientAddressOf
  }

  /** Who scans, from where, and with what. */
  observe(request: IncomingMessage, { orgId }: Resolved, salt: string): Visit {
    const { headers, method = '' } = request
    const userAgent = this.userAgents.read(headers['user-agent'])
    return {
      userAgent,
      isBot: isBot({ method, headers, userAgent }),
      location: this.#locate(headers, () => this.#clientAddressOf(request)),
      visitor: hashVisitor(salt, orgId, this.#clientAddressOf(request), userAgent.text),
    }
  }

  build(
    { request, address }: { request: IncomingMessage; address: ScanAddress },
    { kind, orgId, id, objectId, domainUrl }: Resolved,
    { setup, visit, decision, query, nowMs }: Decided,
  ): StoredScan {
    const { userAgent, location, visitor } = visit
    const { country, region, city } = location
    const { type, os, browser } = userAgent.device
    const destination = 'destination' in decision ? decision.destination : null
    const matched = 'matched' in decision ? decision.matched : undefined
    return {
      org_id: orgId,
      id: newIdAt(nowMs),
      target_kind: kind,
      target_id: id,
      scanned_at: timestamp(nowMs),
      is_bot: visit.isBot,
      visitor,
      user_agent: userAgent.text,
      device_type: type,
      device_os: os,
      device_browser: browser,
      destination_type: destination?.type ?? null,
      destination_id: destination?.id ?? null,
      destination_url: destination?.type === 'url' ? destination.address : null,
      query_params: isEmpty(query.stored) ? null : query.stored,
      country,
      region,
      city,
      gs1: address.kind === 'product' ? address.gs1 : null,
      referrer: cleanReferrer(request.headers.referer),
      group_id: setup?.group?.slice(GROUP_KEY.length) ?? null,
      object_id: objectId,
      domain: domainOf(domainUrl),
      via: query.via ?? null,
      rule_id: matched?.id ?? null,
      rules_version: matched?.rulesVersion ?? 0,
      variant: matched?.variant ?? null,
      destination_version: setup?.version ?? null,
      reason: 'notice' in decision ? reasonOf(decision.notice) : null,
    }
  }
}

/** What else a scan shows follows from its other columns. */
const reasonOf = (notice: string): 'paused' | 'not_set_up' | null =>
  notice === 'paused' || notice === 'not_set_up' ? notice : null

function isEmpty(query: object): boolean {
  for (const _ in query) return false
  return true
}
