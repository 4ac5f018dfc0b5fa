import { PROOF_FIELD } from '../../../../platform/rate-limit/proof-of-work.ts'
import { firstValue, type SentForm } from '../../../assets/uploads/index.ts'
import type { ChatRequestServices, VisitorState } from '../request-services.ts'
import type { ChatVisit } from '../visit.ts'

/** Where a proof of work belongs: the public slugs of pages are another place. */
export const proofPlace = ({ publicSlug }: { publicSlug: string }): string => `c/${publicSlug}`

/**
 * Counts a question, and decides whether its answer may cost something. `proof_needed`: the script must send it again, with a
 * proof of work. Without the script there can be none, and the answer costs nothing.
 */
export async function admitQuestion(
  { limits, proofs, loadNotices, metrics }: ChatRequestServices,
  { chatbot, request, wants, nowMs }: ChatVisit,
  { conversation }: VisitorState,
  form: SentForm,
): Promise<boolean | 'proof_needed'> {
  // A person answers.
  if (conversation?.status === 'agent_requested' || conversation?.status === 'open') return false
  if (await limits.noteQuestion(chatbot, nowMs)) {
    await loadNotices.note(chatbot, 'unusual', nowMs)
    const proof = firstValue(form, PROOF_FIELD)
    if (proof === '' && wants !== 'page') return 'proof_needed'
    if (!(await proofs.accept(proofPlace(chatbot), proof, nowMs))) return refuse('chat_proofs')
  }
  const usedUp = await limits.admitPaid(chatbot, request.address, nowMs)
  if (usedUp === 'chatbot') await loadNotices.note(chatbot, 'limited', nowMs)
  return usedUp === undefined || refuse('chat_questions')

  function refuse(limit: string): false {
    metrics.refused.inc({ limit })
    return false
  }
}
