import { domainToUnicode } from 'node:url'
import { fill } from '../../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../../platform/text/html.ts'
import { formatTime } from '../../format.ts'
import type { SignedInVisit } from '../../visit.ts'

/** A custom domain as the API returns it. */
export interface Domain {
  id: string
  domain: string
  verified: boolean
  last_checked_at: string | null
  wrong_since: string | null
  fallback_url: string | null
  verification_records: { type: string; domain: string; value: string }[]
}

/** `warned`: verified, but its records are wrong. `lost`: it was verified before. */
export function stateOf({ verified, wrong_since }: Domain): 'waiting' | 'verified' | 'warned' | 'lost' {
  if (verified) return wrong_since === null ? 'verified' : 'warned'
  return wrong_since === null ? 'waiting' : 'lost'
}

export const stateLabel = ({ texts }: SignedInVisit, domain: Domain): Html =>
  html`<span class="state${domain.wrong_since !== null && ' bad'}">${texts.domains.states[stateOf(domain)]}</span>`

export const describeLastCheck = ({ texts, language }: SignedInVisit, { last_checked_at }: Domain): string =>
  last_checked_at === null
    ? texts.domains.neverChecked
    : fill(texts.domains.lastChecked, { date: formatTime(last_checked_at, language) })

/** Returns the name as people write it, such as `bücher.example`. */
export const nameOf = ({ domain }: Domain): string => domainToUnicode(domain)
