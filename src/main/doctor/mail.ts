import { Mailer, type MailSettings } from '../../platform/mail/index.ts'
import { answered, type DoctorCheck, fail, pass } from './check.ts'

const REMEDIES: Readonly<Record<string, string>> = {
  EAUTH: 'Check the user name and password in SMTP_URL; special characters must be percent-encoded.',
  ETLS: 'Check that the port fits the protocol: smtps:// for 465, smtp:// for 587 and 25, and the certificate of the server.',
}
const REMEDY = 'Check the host and the port in SMTP_URL, and that the firewall lets this machine connect to them.'

/** Connects, encrypts and signs in as for a mail, but sends none. */
export async function checkMail(settings: MailSettings): Promise<DoctorCheck> {
  // Never the whole URL: it has the password.
  const { host } = new URL(settings.smtpUrl)
  const mailer = await Mailer.open(settings)
  try {
    await answered(mailer.check())
    return pass('Mail server', `${host} accepts mails from ${settings.from}`)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return fail('Mail server', `${host} cannot be used: ${message}`, REMEDIES[code] ?? REMEDY)
  } finally {
    mailer.close()
  }
}
