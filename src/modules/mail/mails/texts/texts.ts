/** The texts of one kind of mail. `{…}` is replaced. */
interface KindTexts {
  subject: string
  text: string
  /** The label of the link. */
  link: string
  hint: string
}

export type MailKind =
  | 'invitation'
  | 'reset_password'
  | 'change_email'
  | 'email_changed'
  | 'password_changed'
  | 'factors_changed'
  | 'new_device'
  | 'endpoint_gone'
  | 'endpoint_failing'
  | 'credits_low'
  | 'credits_empty'
  | 'domain_failing'
  | 'domain_lost'
  | 'domain_taken_over'
  | 'conversation_reply'
  | 'submission'

export type FactName = 'invitedBy' | 'newEmail' | 'device' | 'address' | 'time' | 'endpoint' | 'since' | 'answer'

/** The texts of all mails in one language. */
export interface MailTexts {
  kinds: Record<MailKind, KindTexts>
  facts: Record<FactName, string>
  footer: string
}
