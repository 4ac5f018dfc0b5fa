import type { Mail, MailLimit } from '../../mail/mails/index.ts'

/** Invitations of one organisation. */
export const INVITATIONS: MailLimit = { name: 'invitation', perHour: 200 }

/** Invitations of one organisation to one address: it can revoke an invitation and create it again. */
export const INVITATIONS_TO_ADDRESS: MailLimit = { name: 'invitee', perHour: 5 }

interface InvitationMails {
  invitation: Mail<{ token: string; invitedBy?: string }>
}

export const invitationMails: Readonly<InvitationMails> = {
  invitation: {
    kind: 'invitation',
    facts: ['invitedBy'],
    link: ({ token }) => `/account/invitation?token=${token}`,
  },
}
