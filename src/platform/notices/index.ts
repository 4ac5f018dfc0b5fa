export { illustrate, type Scene } from './illustrations.ts'
export { NOTICE_HEADERS, NOTICE_POLICY, NoticePages, renderNotice } from './notice.ts'
export type { Sender } from './sender.ts'
