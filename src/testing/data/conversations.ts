import { expect } from 'vitest'
import { Credits } from '../../modules/account/credits/index.ts'
import { organisationPeople } from '../../modules/account/members/index.ts'
import type { Answer } from '../../modules/chat/answering/index.ts'
import {
  Conversations,
  type StartedConversation,
  type StoredConversation,
  type StoredMessage,
} from '../../modules/chat/conversations/index.ts'
import type { ScannedThing } from '../../modules/codes/scanned-things/index.ts'
import { Mails } from '../../modules/mail/mails/index.ts'
import { timestamp } from '../../platform/clock/index.ts'
import type { Language } from '../../platform/contract/languages.ts'
import type { Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { createRateLimiter } from '../../platform/rate-limit/index.ts'
import type { Client } from '../client.ts'
import { insertTestRows } from '../engines/insert-test-rows.ts'
import type { Harness, Tenant } from '../harness.ts'
import { rememberToken } from '../secrets-guard.ts'

/** An active chatbot that hands over to people. */
export async function createBot(client: Client, more: object = {}): Promise<any> {
  const body = { name: 'Support', status: 'active', human_support_enabled: true, ...more }
  const reply = await client.post('/v1/chatbots', body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}

export function conversationsOf({ service, baseUrl }: Harness): Conversations {
  const { database, keyring } = service
  const mails = new Mails({ keyring, limiter: createRateLimiter(database), people: organisationPeople, canSend: false })
  const credits = new Credits({ mails, lowCredits: 100, isMetered: false })
  return new Conversations({ appUrl: baseUrl, credits, mails })
}

export const ANSWER: Answer = {
  text: 'Descale it **every three months**.',
  citations: [
    {
      article_id: '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11',
      version_number: 2,
      title: 'Descaling',
      url: 'https://acme.com/kb/descaling',
      snippet: 'Descale it every three months.',
    },
  ],
  model: 'embedded',
  credits: 1,
  isAnswered: true,
  language: 'en',
  nearest: [],
}

interface VisitorOptions {
  scanned?: ScannedThing
  scanId?: string
  language?: Language
}

/** A visitor of a chatbot, who writes as the chat page does. */
export class ChatVisitor {
  readonly #harness: Harness
  readonly conversations: Conversations
  readonly #orgId: Tenant['orgId']
  readonly started: StartedConversation

  constructor(harness: Harness, { orgId }: Pick<Tenant, 'orgId'>, chatbotId: string, options: VisitorOptions = {}) {
    this.#harness = harness
    this.#orgId = orgId
    this.conversations = conversationsOf(harness)
    const { scanned = null, scanId = null, language = 'en' } = options
    this.started = this.conversations.startConversation({
      bot: { id: chatbotId, orgId },
      ...{ scanned, scanId, language },
      now: this.#now,
    })
    rememberToken(this.started.token)
  }

  get id(): string {
    return this.started.id
  }

  get path(): string {
    return `/v1/conversations/${this.id}`
  }

  get #now() {
    return timestamp(this.#harness.nowMs())
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#harness.service.database.write(work, this.#orgId)
  }

  /** The conversation as it is stored; the one that begins if it is not. */
  async find(): Promise<StoredConversation | StartedConversation> {
    const { chatbotId, token, orgId } = this.started
    const { read } = this.#harness.service.database
    return (await this.conversations.findByToken(read, { id: chatbotId, orgId }, token, this.#now)) ?? this.started
  }

  async say(
    text: string,
    { files = [], messageKey = null }: Partial<Parameters<Conversations['addVisitorMessage']>[2]> = {},
  ): Promise<StoredMessage> {
    const conversation = await this.find()
    return this.write((tx) =>
      this.conversations.addVisitorMessage(tx, conversation, { text, files, messageKey }, this.#now),
    )
  }

  async answer(questionId: string, answer: Answer = ANSWER): Promise<StoredMessage | 'no longer wanted'> {
    const conversation = await this.find()
    return this.write((tx) => this.conversations.storeAnswer(tx, conversation, answer, questionId, this.#now))
  }

  async askForAgent(contact: { contact_email?: string; contact_name?: string } = {}): Promise<StoredConversation> {
    const conversation = await this.find()
    return this.write((tx) => this.conversations.requestAgent(tx, conversation, contact, this.#now))
  }

  /** The chat page is open. */
  async isSeen(): Promise<void> {
    const conversation = await this.find()
    const { token } = this.started
    await this.write((tx) => this.conversations.noteVisitorSeen(tx, conversation, token, this.#now))
  }

  async messagesAfter(position: string | null, limit = 100): Promise<StoredMessage[]> {
    const { read } = this.#harness.service.database
    return this.conversations.listMessagesAfter(read, await this.find(), position, limit)
  }
}

const STEPS = {
  bot_active: [],
  agent_requested: ['agent'],
  open: ['agent', 'reply'],
  resolved: ['agent', 'reply', 'resolved'],
  closed: ['agent', 'reply', 'closed'],
  archived: ['agent', 'reply', 'archived'],
} as const

/** A conversation of one message that has reached a status as it does in life. */
export async function createConversation(
  harness: Harness,
  tenant: Tenant,
  {
    status = 'bot_active',
    chatbotId,
    text = 'How do I descale it?',
    ...options
  }: VisitorOptions & {
    status?: keyof typeof STEPS
    chatbotId?: string
    text?: string
  } = {},
): Promise<ChatVisitor> {
  const visitor = new ChatVisitor(harness, tenant, chatbotId ?? (await createBot(tenant)).id, options)
  await visitor.say(text)
  for (const step of STEPS[status]) {
    if (step === 'agent') await visitor.askForAgent()
    else if (step === 'reply') await ok(tenant.post(`${visitor.path}/messages`, { text: 'Hello, I can help.' }), 201)
    else await ok(tenant.patch(visitor.path, { status: step }), 200)
  }
  return visitor
}

async function ok(reply: Promise<{ status: number; text: string }>, status: number): Promise<void> {
  const done = await reply
  expect(done, done.text).toMatchObject({ status })
}

/** Creates conversations with a chatbot, some for each filter. Returns the id of one with many messages and notes. */
export async function copyConversations(
  harness: Harness,
  tenant: Tenant,
  count: number,
  values: Record<'chatbot' | 'assignee', string>,
): Promise<string> {
  const { id, path } = await createConversation(harness, tenant, { chatbotId: values.chatbot })
  await ok(tenant.post(`${path}/notes`, { content: 'Call back.' }), 201)
  await harness.service.database.write(async (tx) => {
    const { orgId } = tenant
    const rows = tx.selectFrom('conversations').selectAll().where('org_id', '=', orgId)
    const row = await rows.where('id', '=', id).executeTakeFirstOrThrow()
    const variants = [
      {},
      { status: 'resolved' as const },
      { status: 'open' as const, priority: 'high' as const },
      { status: 'agent_requested' as const, priority: 'low' as const },
      { assigned_to: values.assignee },
    ]
    const copies = Array.from({ length: count }, (_, n) => ({ ...row, ...variants[n % variants.length], id: newId() }))
    await insertTestRows(tx, 'conversations', copies)
    const messages = tx.selectFrom('messages').selectAll().where('org_id', '=', orgId)
    const message = await messages.where('conversation_id', '=', id).executeTakeFirstOrThrow()
    const notes = tx.selectFrom('conversation_notes').selectAll().where('org_id', '=', orgId)
    const note = await notes.where('conversation_id', '=', id).executeTakeFirstOrThrow()
    const times = Array.from({ length: count })
    await insertTestRows(
      tx,
      'messages',
      times.map(() => ({ ...message, id: newId() })),
    )
    await insertTestRows(
      tx,
      'conversation_notes',
      times.map(() => ({ ...note, id: newId() })),
    )
  })
  return id
}
