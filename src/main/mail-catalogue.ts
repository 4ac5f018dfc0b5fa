import { addressMails } from '../modules/account/address-proofs/index.ts'
import { creditMails } from '../modules/account/credits/index.ts'
import { emailMails } from '../modules/account/email-changes/index.ts'
import { factorMails } from '../modules/account/factors/index.ts'
import { invitationMails } from '../modules/account/invitations/index.ts'
import { passwordMails } from '../modules/account/passwords/index.ts'
import { signInMails } from '../modules/account/sign-in/index.ts'
import { trustMails } from '../modules/account/withdrawn-trust/index.ts'
import { chatbotMails } from '../modules/chat/chatbots/index.ts'
import { conversationMails } from '../modules/chat/conversations/index.ts'
import { domainMails } from '../modules/domains/custom-domains/index.ts'
import { createCatalogue } from '../modules/mail/mails/index.ts'
import { submissionMails } from '../modules/pages/submissions/index.ts'
import { deliveryMails } from '../modules/webhooks/delivery/index.ts'

/** Every mail that can be sent. A family that sends mails has a line here. */
export const mailCatalogue = createCatalogue([
  addressMails,
  creditMails,
  emailMails,
  factorMails,
  invitationMails,
  passwordMails,
  signInMails,
  trustMails,
  chatbotMails,
  conversationMails,
  domainMails,
  submissionMails,
  deliveryMails,
])
