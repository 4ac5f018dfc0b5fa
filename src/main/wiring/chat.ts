import type { Uploads } from '../../modules/assets/uploads/index.ts'
import { modelNames } from '../../modules/chat/answering/index.ts'
import { Conversations } from '../../modules/chat/conversations/index.ts'
import { startEmbeddings } from '../../modules/chat/embeddings/index.ts'
import { mountChat } from '../../modules/chat/public-chat/index.ts'
import type { PublicHosts } from '../../modules/domains/custom-domains/index.ts'
import { createAnswering, openLlm } from '../answering.ts'
import type { AccountGroup } from './account.ts'
import type { AssetGroup } from './assets.ts'
import type { DomainGroup } from './domains.ts'
import type { Ground } from './ground.ts'
import type { MailGroup } from './mail.ts'

interface Groups {
  account: AccountGroup
  assets: AssetGroup
  domains: DomainGroup
  mail: MailGroup
}

export function wireChat(ground: Ground, { account: { credits }, assets, domains, mail: { mails } }: Groups) {
  const { config, server, hasher, shutdown } = ground
  const { appUrl, publicUrl } = config
  const llm = openLlm(config)
  // No request may wait for a model while the server stops.
  shutdown.atFirst(() => llm?.close())
  const answering = createAnswering(config, llm, { ...ground, publicUrlOf: domains.addresses.urlOf })
  return {
    chatbots: { answering, credits, models: modelNames(config.llm), passwords: hasher },
    conversations: { appUrl, publicUrl, mails, assets: assets.settings },

    mountChat(hosts: PublicHosts, uploads: Uploads): ReturnType<typeof mountChat> {
      const conversations = new Conversations({ appUrl, credits, mails })
      const { questions } = config
      const shared = { ...ground, answering, credits, mails, questions, assets: assets.settings }
      const services = { ...shared, conversations, uploads, publicUrl, hosts }
      const chat = mountChat(server, services)
      shutdown.atLast(() => chat.close())
      shutdown.atFirst(() => chat.stop())
      return chat
    },

    /** Without a model for vectors, there is nothing to do. */
    startWork(): void {
      const model = config.llm?.embeddingsModel
      if (llm !== undefined && model !== undefined) {
        shutdown.atLast(startEmbeddings({ ...ground, client: llm, model }))
      }
    },
  }
}

export type ChatGroup = ReturnType<typeof wireChat>
