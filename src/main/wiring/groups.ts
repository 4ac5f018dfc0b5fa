import { type AccountGroup, wireAccount } from './account.ts'
import { type AssetGroup, wireAssets } from './assets.ts'
import { type ChatGroup, wireChat } from './chat.ts'
import { type CodeGroup, wireCodes } from './codes.ts'
import { type DomainGroup, wireDomains } from './domains.ts'
import type { Ground } from './ground.ts'
import { type KnowledgeGroup, wireKnowledge } from './knowledge.ts'
import { type MailGroup, wireMail } from './mail.ts'
import { type PageGroup, wirePages } from './pages.ts'
import { type WebhookGroup, wireWebhooks } from './webhooks.ts'

export interface Groups {
  mail: MailGroup
  account: AccountGroup
  domains: DomainGroup
  assets: AssetGroup
  codes: CodeGroup
  knowledge: KnowledgeGroup
  pages: PageGroup
  chat: ChatGroup
  webhooks: WebhookGroup
}

/** Wires every group of the product. Nothing is served and nothing runs in the background yet. */
export async function wireGroups(ground: Ground): Promise<Groups> {
  const mail = wireMail(ground)
  const account = wireAccount(ground, mail)
  const domains = wireDomains(ground, mail)
  const assets = await wireAssets(ground)
  return {
    mail,
    account,
    domains,
    assets,
    codes: wireCodes(ground, assets),
    knowledge: wireKnowledge(ground, domains),
    pages: wirePages(ground, mail, domains),
    chat: wireChat(ground, { account, assets, domains, mail }),
    webhooks: wireWebhooks(ground, mail),
  }
}
