import type { StoredConversation } from '../../conversations/index.ts'
import type { Texts } from '../texts.ts'

/** The state of a conversation, as the page of the visitor shows it. */
interface ShownState {
  status: StoredConversation['status']
  text: string
  /** Whether the page asks where to send a reply that the visitor does not see. */
  needs_address: boolean
}

/** A person was asked for, and may be answering already. */
export const isWithPerson = (conversation: StoredConversation | undefined): boolean =>
  conversation?.status === 'agent_requested' || conversation?.status === 'open'

export const stateOf = (conversation: StoredConversation, texts: Texts): ShownState => ({
  status: conversation.status,
  text: textOf(conversation, texts),
  needs_address: isWithPerson(conversation) && conversation.contactEmail === null,
})

function textOf({ status, teamMailedAt }: StoredConversation, { person }: Texts): string {
  if (status === 'bot_active') return ''
  if (status === 'open') return person.joined
  if (status !== 'agent_requested') return person.ended
  // The visitor may rely on it, so it is only said if there was somebody to tell.
  return teamMailedAt === null ? person.waiting : person.requested
}
