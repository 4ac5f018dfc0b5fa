import type { IncomingMessage } from 'node:http'
import { timestamp } from '../../../platform/clock/index.ts'
import { newIdAt } from '../../../platform/ids/index.ts'
import { isBot } from '../../../platform/user-agent/bots.ts'
import { UserAgents } from '../../../platform/user-agent/user-agents.ts'
import { targetKey } from '../scan-targets/index.ts'
import { hashVisitor, type StoredScan } from '../scans/index.ts'
import type { ScanAddress } from './address.ts'
import type { ScanDestination } from './decide.ts'
import type { Resolved } from './resolve.ts'
import { cleanReferrer, type Locator } from './visitor/index.ts'

const GROUP_KEY = targetKey('qr_group', '')

/** Builds the row that is stored for a scan. */
export class ScanRowBuilder {
  readonly userAgents = new UserAgents()
  readonly #locate: Locator
  readonly #clientAddressOf: (request: IncomingMessage) => string

  constructor(locate: Locator, clientAddressOf: (request: IncomingMessage) => string) {
    this.#locate = locate
    this.#clientAddressOf = clientAddressOf
  }

  /** `destination` is null when the scan shows a notice page. */
  build(
    { request, address }: { request: IncomingMessage; address: ScanAddress },
    { kind, orgId, id, setup, domainUrl }: Resolved,
    destination: ScanDestination | null,
    query: Readonly<Record<string, string>>,
    salt: string,
    nowMs: number,
  ): StoredScan {
    const { headers, method = '' } = request
    const userAgent = this.userAgents.read(headers['user-agent'])
    const { country, region, city } = this.#locate(headers, () => this.#clientAddressOf(request))
    const { type, os, browser } = userAgent.device
    return {
      org_id: orgId,
      id: newIdAt(nowMs),
      target_kind: kind,
      target_id: id,
      scanned_at: timestamp(nowMs),
      is_bot: isBot({ method, headers, userAgent }),
      visitor: hashVisitor(salt, orgId, this.#clientAddressOf(request), userAgent.text),
      user_agent: userAgent.text,
      device_type: type,
      device_os: os,
      device_browser: browser,
      destination_type: destination?.type ?? null,
      destination_id: destination?.id ?? null,
      destination_url: destination?.type === 'url' ? destination.address : null,
      query_params: isEmpty(query) ? null : query,
      country,
      region,
      city,
      gs1: address.kind === 'product' ? address.gs1 : null,
      referrer: cleanReferrer(headers.referer),
      group_id: setup?.group?.slice(GROUP_KEY.length) ?? null,
      object_id: kind === 'object' ? id : null,
      domain: domainUrl?.slice(domainUrl.lastIndexOf('/') + 1) ?? null,
    }
  }
}

function isEmpty(query: object): boolean {
  for (const _ in query) return false
  return true
}
