import { NoticePages } from '../../../../platform/notices/index.ts'
import { RECEIPT_TEXTS } from '../../submissions/index.ts'

/** What somebody sees whose link leads to no receipt. It was erased, or the link is not complete: we do not know. */
export const GONE = new NoticePages<'gone'>({ gone: { status: 404, scene: 'gone' } }, (language) => ({
  gone: RECEIPT_TEXTS[language].gone,
}))
