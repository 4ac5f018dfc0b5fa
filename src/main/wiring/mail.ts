import { organisationPeople as people } from '../../modules/account/members/index.ts'
import { findProfile } from '../../modules/account/organisations/index.ts'
import { isAssetUrl } from '../../modules/assets/assets/index.ts'
import { Mails } from '../../modules/mail/mails/index.ts'
import { startMail } from '../../modules/mail/sending/index.ts'
import type { Db } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import type { LetterSender } from '../../platform/mail/index.ts'
import { mailCatalogue } from '../mail-catalogue.ts'
import type { Ground } from './ground.ts'

export function wireMail(ground: Ground) {
  const { config, keyring, limiter, shutdown } = ground
  const { appUrl, mail } = config
  return {
    mails: new Mails({ keyring, limiter, people, canSend: mail !== undefined }),
    /** Sends nothing without an SMTP server. */
    async startWork(): Promise<void> {
      if (mail !== undefined)
        shutdown.atLast(
          await startMail({ ...ground, catalogue: mailCatalogue, people, findSender: senders(config), appUrl }, mail),
        )
    },
  }
}

/** Its logo is only shown if we store it: a mail tells nobody else that it was opened. */
const senders =
  ({ publicUrl }: { publicUrl: string }) =>
  async (db: Db, id: string): Promise<LetterSender | undefined> => {
    const profile = await findProfile(db, id as OrgId)
    if (profile === undefined) return undefined
    const { name, logo_url, brand } = profile
    const isOurs = logo_url !== null && isAssetUrl(logo_url, { publicUrl })
    return { name, brand, logoUrl: isOurs ? logo_url : null }
  }

export type MailGroup = ReturnType<typeof wireMail>
