export { countMails } from './queries.ts'
export {
  BEFORE_ALL,
  type ClaimedMail,
  claimMail,
  findNextCause,
  MAIL_TABLES_LEFT_OUT,
  settleFailed,
  settleSent,
} from './sending.ts'
export { dropMailsAbout, dropMailsOf, MAILS_TOPIC, Mails, noticeFactorsChanged } from './service.ts'
