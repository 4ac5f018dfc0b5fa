import { ASSET_TABLES_LEFT_OUT } from '../modules/assets/assets/index.ts'
import { VECTOR_TABLES_LEFT_OUT } from '../modules/chat/answering/index.ts'
import { SCAN_TABLES_LEFT_OUT } from '../modules/codes/scans/index.ts'
import { SEARCH_TABLES_LEFT_OUT } from '../modules/knowledge/article-search/index.ts'
import { HELP_CENTRE_TABLES_LEFT_OUT } from '../modules/knowledge/public-articles/index.ts'
import { MAIL_TABLES_LEFT_OUT } from '../modules/mail/mails/index.ts'
import { DELIVERY_TABLES_LEFT_OUT } from '../modules/webhooks/webhook-deliveries/index.ts'

/** Tables of the modules that a backup leaves out, each with the reason. */
export const TABLES_LEFT_OUT = {
  ...ASSET_TABLES_LEFT_OUT,
  ...MAIL_TABLES_LEFT_OUT,
  ...SCAN_TABLES_LEFT_OUT,
  ...SEARCH_TABLES_LEFT_OUT,
  ...HELP_CENTRE_TABLES_LEFT_OUT,
  ...VECTOR_TABLES_LEFT_OUT,
  ...DELIVERY_TABLES_LEFT_OUT,
}
