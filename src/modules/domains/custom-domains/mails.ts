import type { Mail } from '../../mail/mails/index.ts'

const link = () => '/account/domains'

interface DomainMails {
  /** The records have been wrong for a while, and the domain will be lost. */
  failing: Mail<{ domain: string; since: string }>
  lost: Mail<{ domain: string; since: string }>
  /** Another organisation has proven that the domain belongs to it. */
  takenOver: Mail<{ domain: string }>
}

/** The owners and admins get these. They are written in the transaction of the change. */
export const domainMails: Readonly<DomainMails> = {
  failing: { kind: 'domain_failing', times: ['since'], link },
  lost: { kind: 'domain_lost', times: ['since'], link },
  takenOver: { kind: 'domain_taken_over', link },
}
