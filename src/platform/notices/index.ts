export { NOTICE_HEADERS, NOTICE_POLICY, NoticePages, renderNotice } from './notice.ts'
