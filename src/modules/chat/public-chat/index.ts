import type { IncomingMessage } from 'node:http'
import { type Clock, SECOND_MS } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { EventStreams, STREAM_LIMITS } from '../../../platform/event-stream/index.ts'
import { hostOf } from '../../../platform/http/server/host.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Markdown } from '../../../platform/markdown/index.ts'
import { type RouteResult, route } from '../../../platform/pages/index.ts'
import type { PasswordHasher } from '../../../platform/passwords/index.ts'
import { createRateLimiter } from '../../../platform/rate-limit/index.ts'
import { ProofOfWork } from '../../../platform/rate-limit/proof-of-work.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import type { Credits } from '../../account/credits/index.ts'
import type { AssetSettings } from '../../assets/assets/index.ts'
import type { Uploads } from '../../assets/uploads/index.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { Answering } from '../answering/index.ts'
import type { Conversations } from '../conversations/index.ts'
import { Inbox, RunningAnswers } from '../visitor-messages/index.ts'
import { PublicChatbots } from './chatbots/index.ts'
import { ChatCookies } from './cookies.ts'
import { FileLinks } from './files/file-links.ts'
import { mountFiles } from './files/send-file.ts'
import { ACTIONS, ChatHandler } from './handler.ts'
import { ChatLimits, type QuestionCaps } from './limits.ts'
import { LoadNotices } from './load-notices.ts'
import { RenderedMessages } from './messages/rendered-messages.ts'
import { noticeFor } from './notices.ts'
import type { ChatRequestServices } from './request-services.ts'
import { mountScripts } from './script/index.ts'
import { LiveConversations } from './stream/live-conversations.ts'
import { createThemes } from './style.ts'
import type { ChatRequest } from './visit.ts'

export interface ChatServices {
  answering: Answering
  credits: Pick<Credits, 'available'>
  mails: Pick<Mails, 'canSend' | 'toOwners'>
  /** What a chatbot may spend on visitors. */
  questions: QuestionCaps
  conversations: Conversations
  database: Database
  keyring: Keyring
  markdown: Markdown
  hasher: PasswordHasher
  uploads: Uploads
  assets: AssetSettings
  publicUrl: string
  hosts: PublicHosts
  /** Streams keep a connection each. Some must remain for other requests. */
  connectionsMax: number
  addressOf: (request: IncomingMessage) => string
  clock: Clock
  log: Logger
  metrics: Metrics
}

/** The part of all connections that may be streams. */
const STREAMS_SHARE = 0.4
const SEEN_INTERVAL_MS = 20 * SECOND_MS

interface MountedChat {
  /** Whether visitors may talk to a chatbot. */
  isOpen(publicSlug: string): Promise<boolean>
  /** Ends streams and answers. Call it at shutdown, before the server waits for its responses. */
  stop(): Promise<void>
  /** Call it once the server accepts no more requests. */
  close(): void
}

/** Adds the public chat to the server, below /c/, and the script of the widget. */
export function mountChat(server: Server, services: ChatServices): MountedChat {
  const { database, keyring, clock, log, metrics, publicUrl, uploads, addressOf, questions } = services
  const limiter = createRateLimiter(database)
  const perProcess = Math.min(STREAM_LIMITS.perProcess, Math.floor(services.connectionsMax * STREAMS_SHARE))
  const streams = new EventStreams({ ...STREAM_LIMITS, perProcess }, metrics)
  const chatbots = new PublicChatbots(database, clock)
  const live = new LiveConversations(database)
  const answers = new RunningAnswers(services, live)
  live.connect(answers)
  const links = new FileLinks(keyring)
  const messages = new RenderedMessages(services.markdown, links, clock)
  const themes = createThemes()
  const caches = { public_chatbots: chatbots, chat_messages: messages, chat_themes: themes }
  for (const [name, cache] of Object.entries(caches)) metrics.watchBudget(name, cache)
  const requestServices: ChatRequestServices = {
    ...services,
    ...uploads,
    findChatbot: async (publicSlug, request) => {
      const found = (await chatbots.find(publicSlug)) ?? ((await chatbots.wasDeleted(publicSlug)) ? 'gone' : undefined)
      const shown = found && (await services.hosts.showing(hostOf(request), found))
      if (typeof shown === 'object') request.loggedAs = { orgId: shown.orgId }
      return shown
    },
    cookies: new ChatCookies(keyring, database.read, publicUrl),
    limits: new ChatLimits(limiter, questions),
    proofs: new ProofOfWork(keyring, limiter),
    loadNotices: new LoadNotices({ ...services, perDay: questions.perDay }),
    inbox: new Inbox(services),
    ...{ answers, live, messages, themes, links },
  }
  const handler = new ChatHandler(requestServices)
  const seen = setInterval(() => void live.noteSeen(log), SEEN_INTERVAL_MS)
  seen.unref()
  const add = (
    method: 'GET' | 'POST',
    url: string,
    operation: string,
    respond: (request: ChatRequest) => Promise<RouteResult>,
    { hasHead = true } = {},
  ) =>
    route(server, {
      method,
      url,
      operation,
      hasHead,
      respond: ({ request, requestId, signal, query, params: { slug = '' }, response, takeOver }) =>
        respond({
          raw: request,
          address: addressOf(request),
          signal,
          publicSlug: slug,
          query,
          openStream: (owner, headers, onClose) => {
            const flat = Object.entries(headers).flatMap(([name, values]) =>
              [values].flat().flatMap((value) => [name, value]),
            )
            const stream = streams.open(response, owner, ['x-request-id', requestId, ...flat], onClose)
            if (stream !== undefined) takeOver()
            return stream
          },
        }),
    })
  add('GET', '/c/:slug', 'chat.page', (request) => handler.show(request))
  add('GET', '/c/:slug/frame', 'chat.frame', (request) => handler.showFrame(request))
  add('GET', '/c/:slug/color.js', 'chat.color', (request) => handler.showColor(request))
  add('GET', '/c/:slug/events', 'chat.events', (request) => handler.stream(request), { hasHead: false })
  for (const [name, action] of Object.entries(ACTIONS)) {
    add('POST', `/c/:slug/${name}`, `chat.${name}`, (request) => handler.act(request, action))
  }
  mountFiles(server, requestServices)
  mountScripts(server)
  return {
    isOpen: async (publicSlug) => noticeFor(await chatbots.find(publicSlug)) === undefined,
    stop: async () => {
      streams.close()
      await answers.close()
    },
    close: () => {
      clearInterval(seen)
      live.close()
      chatbots.close()
    },
  }
}
