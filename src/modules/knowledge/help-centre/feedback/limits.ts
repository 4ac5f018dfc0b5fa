import type { OrgId } from '../../../../platform/ids/index.ts'
import type { Caps, RateLimiter } from '../../../../platform/rate-limit/index.ts'

/** Limits one visitor, over all articles of an organisation. Many people may share an address. */
const VISITOR_VOTES: Caps = { perMinute: 30, perHour: 300 }
/** Many addresses together cannot occupy the database. */
const ARTICLE_VOTES: Caps = { perMinute: 120, perHour: 2000 }
const ORGANISATION_VOTES: Caps = { perMinute: 600, perHour: 10_000 }

/** Counts a vote, over all processes. Returns 0 if it may be stored, and otherwise the seconds until then. */
export async function admitVote(
  limiter: RateLimiter,
  orgId: OrgId,
  articleId: string,
  addressBlock: string,
  nowMs: number,
): Promise<number> {
  const counts: [key: string, caps: Caps][] = [
    [`vote ${orgId} ${addressBlock}`, VISITOR_VOTES],
    [`vote ${articleId}`, ARTICLE_VOTES],
    [`vote ${orgId}`, ORGANISATION_VOTES],
  ]
  for (const [key, caps] of counts) {
    const { retryAfterSeconds } = await limiter.take(key, caps, nowMs)
    if (retryAfterSeconds > 0) return retryAfterSeconds
  }
  return 0
}
