export { BUSY } from './busy.ts'
export { illustrate, type Scene } from './illustrations.ts'
export { NOTICE_POLICY, NoticePages, NUMBER_FIELD, renderNotice, toSentNotice } from './notice.ts'
export { type NoticeSender, senderBlock } from './sender.ts'
