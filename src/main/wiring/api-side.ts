import { mountApi } from '../../api/index.ts'
import { createListQueue } from '../../platform/http/lists/list-queue.ts'
import type { Services } from '../../platform/http/pipeline/exchange.ts'
import { RunningKeys } from '../../platform/http/pipeline/running-keys.ts'
import type { Steps } from '../../platform/jobs/in-steps.ts'
import { FailedAttempts } from '../../platform/rate-limit/index.ts'
import type { Ground } from './ground.ts'
import type { Groups } from './groups.ts'

/**
 * Adds what organisations and their programs use: /v1, its documentation, the account pages and OAuth. Returns what can be
 * loaded before the first request needs it.
 */
export function mountApiSide(ground: Ground, groups: Groups): Steps {
  const { config, overrides, turns, metrics, server } = ground
  const { account, assets, chat, codes, domains, knowledge, mail, webhooks } = groups
  const { checkResponse } = overrides
  const services: Services = {
    ...ground,
    failedAttempts: new FailedAttempts(),
    authenticators: [...account.authenticators, ...(overrides.authenticators ?? [])],
    sessions: account.sessions,
    uses: account.uses,
    resourceMetadataUrl: `${config.appUrl}/.well-known/oauth-protected-resource/v1`,
    runningKeys: new RunningKeys(),
    lists: createListQueue(config.databaseConnections, turns, metrics),
    uploads: assets.createUploadReader(),
    ...(checkResponse && { checkResponse }),
  }
  const call = mountApi(server, services, {
    ...codes.createSettings(domains),
    publicUrl: config.publicUrl,
    publicUrlOf: domains.addresses.urlOf,
    articles: knowledge.settings,
    assets: assets.settings,
    chatbots: chat.chatbots,
    conversations: chat.conversations,
    credits: account.credits,
    domains: domains.settings,
    mails: mail.mails,
    webhooks: webhooks.settings,
  })
  return account.mountPages(call)
}
