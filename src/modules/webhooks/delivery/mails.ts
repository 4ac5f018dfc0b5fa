import type { Mail, MailLimit } from '../../mail/mails/index.ts'

/** Notices about one webhook endpoint, which its organisation can resume again and again. */
export const NOTICES: MailLimit = { name: 'endpoint', perHour: 3 }

interface DeliveryMails {
  /** The receiver returned 410 Gone. */
  endpointGone: Mail<{ endpoint: string; time: string }>
  endpointFailing: Mail<{ endpoint: string; since: string; time: string }>
}

/** The owners get these when an endpoint was disabled. */
export const deliveryMails: Readonly<DeliveryMails> = {
  endpointGone: { kind: 'endpoint_gone', facts: ['endpoint'], times: ['time'], link: () => '/account/webhooks' },
  endpointFailing: {
    kind: 'endpoint_failing',
    facts: ['endpoint'],
    times: ['since', 'time'],
    link: () => '/account/webhooks',
  },
}
