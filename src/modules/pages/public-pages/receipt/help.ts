import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { findOpenChatbot } from '../../../chat/chatbots/index.ts'
import { centrePath, findMainCentre } from '../../../knowledge/public-articles/index.ts'

/** Where visitors who have a question can go. */
export interface Help {
  helpCentre: string | undefined
  chat: string | undefined
}

/** The oldest help centre and the oldest chatbot of the organisation that are open to everybody. */
export async function findHelp(db: Db, orgId: OrgId): Promise<Help> {
  const [centre, chatbot] = await Promise.all([findMainCentre(db, orgId), findOpenChatbot(db, orgId)])
  return { helpCentre: centre && centrePath(centre.publicSlug), chat: chatbot && `/c/${chatbot}` }
}
