import { organisationPeople as people } from '../../modules/account/members/index.ts'
import { Mails } from '../../modules/mail/mails/index.ts'
import { startMail } from '../../modules/mail/sending/index.ts'
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
        shutdown.atLast(await startMail({ ...ground, catalogue: mailCatalogue, people, appUrl }, mail))
    },
  }
}

export type MailGroup = ReturnType<typeof wireMail>
