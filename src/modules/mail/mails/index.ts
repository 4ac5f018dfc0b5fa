export { createCatalogue, type Mail, type MailLimit } from './declaration.ts'
export { countMails } from './queries.ts'
export {
  BEFORE_ALL,
  type ClaimedMail,
  claimMail,
  findNextCause,
  MAIL_TABLES_LEFT_OUT,
  type SendingServices,
  settleFailed,
  settleSent,
} from './sending.ts'
export { dropMailsAbout, dropMailsOf, MAILS_TOPIC, Mails, type OrganisationPeople } from './service.ts'
