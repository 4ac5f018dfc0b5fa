import { NoticePages, type NoticeSender } from '../../../platform/notices/index.ts'
import type { PublicPage } from '../published-pages/index.ts'
import { TEXTS, type Texts } from './texts.ts'

export type NoticeKind = keyof Texts['notices']

/** What visitors see instead of a page. */
export const NOTICES = new NoticePages<NoticeKind>(
  {
    draft: { status: 200, scene: 'not_set_up' },
    paused: { status: 200, scene: 'paused' },
    gone: { status: 410, scene: 'gone' },
    unknown: { status: 404, scene: 'unknown' },
    unavailable: { status: 503, scene: 'unavailable' },
  },
  (language) => TEXTS[language].notices,
)

/** Undefined for a page that visitors may see. */
export function noticeFor(found: PublicPage | 'gone' | undefined): NoticeKind | undefined {
  if (found === undefined) return 'unknown'
  if (found === 'gone') return 'gone'
  if (found.status === 'draft') return 'draft'
  return found.status === 'active' ? undefined : 'paused'
}

/** Who is behind a page that visitors may not see now. Its own address says nothing about a scan. */
export const senderOf = ({ orgName, orgLogoUrl, brand }: PublicPage): NoticeSender => ({
  name: orgName,
  logoUrl: orgLogoUrl,
  brand,
  ...{ scanned: null, helpCentreUrl: null, email: null, phone: null, websiteUrl: null },
})
