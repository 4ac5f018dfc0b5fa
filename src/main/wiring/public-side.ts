import type { Groups } from './groups.ts'

/** Adds what visitors meet: codes, pages with forms, chats and help centres. */
export async function mountPublicSide({ assets, chat, codes, domains, knowledge, pages }: Groups): Promise<void> {
  const hosts = domains.openHosts()
  const uploads = assets.createUploads()
  const { showScanned } = pages.mountPages(hosts, uploads)
  const publicChat = chat.mountChat(hosts, uploads)
  const helpCentre = knowledge.mountHelpCentre(hosts)
  await codes.mountScan(hosts, {
    showPage: showScanned,
    isOpen: ({ type, address }) => {
      if (type === 'url') return true
      // `/kb/<slug>`, and `/a/<id>` after it if the code leads to an article.
      const publicSlug = address.split('/', 3)[2] ?? ''
      if (type === 'knowledge_base') return helpCentre.isOpen(publicSlug)
      return type !== 'chatbot' || publicChat.isOpen(publicSlug)
    },
  })
  domains.mountHosts(hosts)
}
