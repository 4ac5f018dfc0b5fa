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
    isOpen: ({ type, address }) => {
      if (type === 'url') return true
      // `/kb/<slug>`, and `/a/<id>` after it if the code leads to an article.
      const publicSlug = address.split('/', 3)[2] ?? ''
      if (type === 'knowledge_base') return helpCentre.isOpen(publicSlug)
      return type !== 'chatbot' || publicChat.isOpen(publicSlug)
    },
  })
  const hostRouter = domains.createHostRouter(hosts, (request, response) => scans.notFound(request, response))
  server.mountPublic({
    unlimited: [hostRouter, scans],
    limited: [publicPages.handler, helpCentre.handler],
    unhandled: scans,
  })
}
