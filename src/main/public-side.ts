import { join } from 'node:path'
import type { Credits } from '../modules/account/credits/index.ts'
import { createUploads } from '../modules/assets/uploads/index.ts'
import { Conversations } from '../modules/chat/conversations/index.ts'
import { mountChat } from '../modules/chat/public-chat/index.ts'
import { type IsOpen, mountResolverDescription, mountScan } from '../modules/codes/scan/index.ts'
import { findShownDomains, type PublicAddresses } from '../modules/domains/custom-domain-routes/index.ts'
import { PublicHosts } from '../modules/domains/custom-domains/index.ts'
import { mountHosts, mountTlsAsk } from '../modules/domains/hosts/index.ts'
import { mountHelpCentre } from '../modules/knowledge/help-centre/index.ts'
import type { Mails } from '../modules/mail/mails/index.ts'
import { mountForms, mountPages } from '../modules/pages/public-pages/index.ts'
import { Submissions } from '../modules/pages/submissions/index.ts'
import type { Server } from '../platform/http/server/server.ts'
import type { Config } from './config.ts'
import { ownHostsOf } from './own-hosts.ts'

type PageServices = Parameters<typeof mountPages>[1]
type ChatServices = Parameters<typeof mountChat>[1]
type UploadServices = Parameters<typeof createUploads>[0]

interface PublicServices
  extends Omit<PageServices, 'hosts' | 'journalDir' | 'publicUrl'>,
    Omit<ChatServices, 'conversations' | 'hosts' | 'publicUrl' | 'uploads'>,
    UploadServices {
  addresses: PublicAddresses
  credits: Credits
  mails: Mails
}

/**
 * Adds all that visitors meet: codes, pages with forms, chats and help centres. What must be done at shutdown is added to
 * `closing`, which runs backwards once the server accepts no more requests. Returns a function that ends open streams, to
 * be called before that.
 */
export async function mountPublicSide(
  server: Server,
  config: Config,
  services: PublicServices,
  closing: (() => unknown)[],
): Promise<() => Promise<void>> {
  const { database, keyring, clock, log, metrics, addressOf, credits, mails } = services
  const { publicUrl, appUrl, dataDir, formsPerMinute, acceptsAnyHost, location } = config
  const folderOf = (name: string) => join(dataDir, name, keyring.installationId)
  const rules = { ownHosts: ownHostsOf(config), acceptsAnyHost }
  const hosts = new PublicHosts(database, rules, (db, names) => findShownDomains(db, names, publicUrl), clock)
  metrics.watchBudget('public_hosts', hosts)
  closing.push(() => hosts.close())
  mountTlsAsk(server, hosts, config.trustProxy)
  const pages = mountPages(server, { ...services, publicUrl, hosts, journalDir: folderOf('views') })
  closing.push(pages.close)
  const uploads = createUploads(services)
  const submissions = new Submissions({ database, mails })
  mountForms(server, { ...services, site: pages.site, submissions, uploads, formsPerMinute })
  const conversations = new Conversations({ appUrl, credits })
  const chat = mountChat(server, { ...services, conversations, uploads, publicUrl, hosts })
  closing.push(chat.close)
  const helpCentre = mountHelpCentre(server, { ...services, hosts })
  closing.push(helpCentre.close)
  const isOpen: IsOpen = ({ type, address }) => {
    if (type === 'url') return true
    // `/kb/<slug>`, and `/a/<id>` after it if the code leads to an article.
    const publicSlug = address.split('/', 3)[2] ?? ''
    if (type === 'knowledge_base') return helpCentre.isOpen(publicSlug)
    return type !== 'chatbot' || chat.isOpen(publicSlug)
  }
  const scans = { publicUrl, hosts, journalDir: folderOf('scans'), location, addressOf, keyring }
  const shown = { showPage: pages.showScanned, isOpen }
  closing.push(await mountScan(server, database, clock, { log, metrics }, { ...scans, ...shown }))
  mountResolverDescription(server, hosts, publicUrl)
  mountHosts(server, hosts, log)
  return chat.stop
}
