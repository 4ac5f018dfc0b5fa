import { NoticePages } from './notice.ts'
import { LABELS } from './texts.ts'

/** What people see if too much comes from their address. */
export const BUSY = new NoticePages<'busy'>({ busy: { status: 429, scene: 'unavailable' } }, (language) => ({
  busy: LABELS[language].busy,
}))
