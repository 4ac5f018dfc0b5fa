import type { Language } from '../../../../platform/contract/languages.ts'
import { NoticePages, type NoticeSender, renderNotice as render } from '../../../../platform/notices/index.ts'
import { type NoticeKind, TEXTS } from './texts.ts'

export { NOTICE_POLICY } from '../../../../platform/notices/index.ts'
export type { NoticeKind } from './texts.ts'

const NOTICES = {
  paused: { status: 200, scene: 'paused' },
  not_set_up: { status: 200, scene: 'not_set_up' },
  unknown: { status: 404, scene: 'unknown' },
  not_found: { status: 404, scene: 'not_found' },
  gone: { status: 410, scene: 'gone' },
  malformed: { status: 400, scene: 'unknown' },
  no_link: { status: 404, scene: 'not_found' },
  unavailable: { status: 503, scene: 'unavailable' },
} as const

const pages = new NoticePages<NoticeKind>(NOTICES, (language) => TEXTS[language])

/** Renders the page for a scan that cannot redirect. */
export const renderNotice = (kind: NoticeKind, language: Language, sender?: NoticeSender): string =>
  render(NOTICES[kind].scene, language, (shown) => TEXTS[shown][kind], sender)

export const noticePage = (kind: NoticeKind, acceptLanguage: string | undefined, sender?: NoticeSender) =>
  pages.get(kind, acceptLanguage, sender)
