import type { MailTexts } from './texts.ts'

export const en: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Join {organisation} on Waymark',
      text: 'You were invited to join {organisation} on Waymark.',
      link: 'Open the invitation',
      hint: 'The link works once, within seven days. If you do not know this organisation, you can ignore this message.',
    },
    reset_password: {
      subject: 'Set a new password for Waymark',
      text: 'Somebody asked for a new password for your Waymark account.',
      link: 'Set a new password',
      hint: 'The link works once, within an hour. If this was not you, you can ignore this message. Your password stays the same.',
    },
    change_email: {
      subject: 'Confirm your new email address',
      text: 'Somebody asked to use this email address for a Waymark account.',
      link: 'Confirm the address',
      hint: 'The link works once, within a day. If this was not you, you can ignore this message.',
    },
    email_changed: {
      subject: 'Your email address was changed',
      text: 'Your Waymark account now uses another email address. We no longer send messages about it to this one.',
      link: 'Open your account',
      hint: 'If this was not you, contact an owner of your organisation or the operator of this installation at once.',
    },
    password_changed: {
      subject: 'Your password was changed',
      text: 'The password of your Waymark account was changed. You were signed out in all other browsers.',
      link: 'Set a new password',
      hint: 'If this was not you, use the link to set a new password at once.',
    },
    factors_changed: {
      subject: 'Your sign-in settings were changed',
      text: 'A second factor of your Waymark account was added, removed or renewed: a passkey, an authenticator app or recovery codes.',
      link: 'Open your account',
      hint: 'If this was not you, change your password at once and check your second factors.',
    },
    new_device: {
      subject: 'New sign-in to your account',
      text: 'Somebody signed in to your Waymark account with a browser that you have not used before.',
      link: 'Open your account',
      hint: 'If this was you, you need not do anything. If it was not, change your password at once. This signs out all other browsers.',
    },
    endpoint_gone: {
      subject: 'A webhook endpoint of {organisation} was disabled',
      text: 'A receiver of {organisation} returned 410 Gone. Waymark has disabled the endpoint and sends it nothing more.',
      link: 'Open webhooks',
      hint: 'Events are kept for 30 days. When you resume the endpoint, they are sent.',
    },
    endpoint_failing: {
      subject: 'A webhook endpoint of {organisation} was disabled',
      text: 'Every attempt to reach a receiver of {organisation} has failed for five days. Waymark has disabled the endpoint and sends it nothing more.',
      link: 'Open webhooks',
      hint: 'Events are kept for 30 days. When you resume the endpoint, they are sent.',
    },
    credits_low: {
      subject: '{organisation} is running low on credits',
      text: 'The chatbots of {organisation} have used most of the credits. Credits left: {number}.',
      link: 'Open Waymark',
      hint: 'When no credits are left, the chatbots stop answering. The operator of this installation can add credits.',
    },
    credits_empty: {
      subject: '{organisation} has no credits left',
      text: 'The chatbots of {organisation} have used all credits and no longer answer questions.',
      link: 'Open Waymark',
      hint: 'The operator of this installation can add credits. The chatbots then answer again.',
    },
    domain_failing: {
      subject: 'The records of {domain} are wrong',
      text: 'For three days, the DNS records of {domain} have not been what Waymark expects. If this is not corrected within four days, {organisation} can no longer use the domain, and printed codes with it stop working.',
      link: 'Open domains',
      hint: 'There you see which record is wrong. Waymark checks the domain every day.',
    },
    domain_lost: {
      subject: '{domain} is no longer used',
      text: 'For seven days, the DNS records of {domain} have been wrong. Waymark no longer shows anything of {organisation} under this domain.',
      link: 'Open domains',
      hint: 'When the records are correct again, the domain is used again. Waymark keeps checking it for a month.',
    },
    domain_taken_over: {
      subject: '{domain} now belongs to another organisation',
      text: 'Another organisation has proven with a DNS record that {domain} belongs to it. Waymark no longer shows anything of {organisation} under this domain.',
      link: 'Open domains',
      hint: 'If the domain is yours, remove the unknown DNS record and create the new one that Waymark shows you.',
    },
    conversation_reply: {
      subject: '{organisation} has answered you',
      text: 'A person from {organisation} has answered your message in the chat.',
      link: 'Continue the conversation',
      hint: 'The link works once, within 30 days. You get this message because you left your address in the chat. If this was not you, you can ignore it.',
    },
    submission: {
      subject: 'New submission {number}: {page}',
      text: 'Somebody sent the form on your page “{page}”. This is submission number {number}.',
      link: 'Open Waymark',
      hint: 'You get this message because the page notifies you. When a page gets very many submissions in an hour, not all of them are mailed.',
    },
  },
  facts: {
    invitedBy: 'Invited by',
    newEmail: 'New address',
    device: 'Browser',
    address: 'IP address',
    time: 'Time',
    endpoint: 'Endpoint',
    since: 'Failing since',
    answer: 'Answer',
  },
  footer: 'Sent automatically by Waymark at {url}.',
}
