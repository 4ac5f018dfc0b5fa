import { type Handle, inOrder } from '../../platform/http/server/request-handler.ts'
import type { Ground } from './ground.ts'
import type { Groups } from './groups.ts'

/**
 * Adds what visitors meet: codes, pages with forms, chats and help centres. `mountPublic` has the list of all that sees a
 * request before its route does, in order.
 */
export async function mountPublicSide(
  { server }: Ground,
  { assets, chat, codes, domains, knowledge, pages }: Groups,
): Promise<void> {
  const hosts = domains.openHosts()
  const uploads = assets.createUploads()
  const publicPages = pages.mountPages(hosts, uploads)
  const publicChat = chat.mountChat(hosts, uploads)
  const helpCentre = knowledge.mountHelpCentre(hosts)
  const scans = await codes.createScans(hosts, {
    showPage: publicPages.showScanned,
    // A page is shown in place, and says itself that it is closed.
    isOpen: { chatbot: publicChat.isOpen, knowledge_base: helpCentre.isOpen, page: () => true },
  })
  const notFound: Handle = (request, response) => scans.notFound(request, response)
  const hostRouter = domains.createHostRouter(hosts, { notFound, onlyCodes: inOrder([scans], notFound) })
  server.mountPublic({
    unlimited: [hostRouter, scans],
    limited: [publicPages.handler, helpCentre.handler],
    unhandled: scans,
  })
}
