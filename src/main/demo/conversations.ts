import { Credits } from '../../modules/account/credits/index.ts'
import { organisationPeople } from '../../modules/account/members/index.ts'
import type { Answer } from '../../modules/chat/answering/index.ts'
import { Conversations, createMessage, updateConversation } from '../../modules/chat/conversations/index.ts'
import {
  articlePath,
  type Centre,
  centrePath,
  findArticle,
  findCentre,
  readContent,
} from '../../modules/knowledge/public-articles/index.ts'
import { Mails } from '../../modules/mail/mails/index.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS, timestamp } from '../../platform/clock/index.ts'
import type { Language } from '../../platform/contract/languages.ts'
import type { Database, Db } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import { Keyring } from '../../platform/keyring/index.ts'
import { createRateLimiter } from '../../platform/rate-limit/index.ts'
import type { Config } from '../config.ts'
import { operatorContext } from '../operator-context.ts'

type Change = Parameters<typeof updateConversation>[2]

/** What a visitor asked, which article the chatbot answered with, and what followed. */
interface Story {
  daysAgo: number
  language: Language
  question: string
  /** Null: the chatbot did not know. */
  article: string | null
  /** The visitor asks for a person. */
  agent?: { reply?: string; change?: Change }
}

const STORIES: readonly Story[] = [
  {
    daysAgo: 16,
    language: 'en',
    question: 'Why does my espresso taste sour?',
    article: 'coffee-tastes-bitter-or-sour',
  },
  { daysAgo: 9, language: 'de', question: 'Wie entkalke ich die Maschine?', article: 'descaling' },
  {
    daysAgo: 5,
    language: 'en',
    question: 'Is there a travel case for the Acme One?',
    article: null,
    agent: {
      reply: 'Not yet. We have put it on our list and will write to you when there is one.',
      change: { status: 'resolved', priority: 'low', title: 'Travel case' },
    },
  },
  { daysAgo: 2, language: 'fr', question: 'Que couvre la garantie ?', article: 'warranty' },
  {
    daysAgo: 0.2,
    language: 'en',
    question: 'The machine leaks at the bottom. What now?',
    article: 'machine-leaks',
    agent: { change: { priority: 'high' } },
  },
]

const UNKNOWN: Partial<Record<Language, string>> = { en: 'I don’t know that. A person from our team can help you.' }

interface DemoChat {
  orgId: OrgId
  chatbotId: string
  helpCentreSlug: string
  objectIds: readonly string[]
  nowMs: number
}

/** Visitors talk to the chatbot, each after a scan of one of the objects. Returns how many conversations there are. */
export async function createConversations(database: Database, config: Config, chat: DemoChat): Promise<number> {
  const { orgId, chatbotId, helpCentreSlug, objectIds, nowMs } = chat
  const keyring = await Keyring.load(database, config, nowMs)
  const mails = new Mails({ keyring, limiter: createRateLimiter(database), people: organisationPeople, canSend: false })
  const { appUrl, publicUrl } = config
  const { low: lowCredits, isMetered } = config.credits
  const conversations = new Conversations({ appUrl, credits: new Credits({ mails, lowCredits, isMetered }), mails })
  const centre = await findCentre(database.read, helpCentreSlug)
  if (centre === undefined || centre === 'gone') throw new Error('the help centre of the demo does not exist')
  for (const [n, { daysAgo, language, question, article, agent }] of STORIES.entries()) {
    const askedAtMs = nowMs - daysAgo * DAY_MS
    const after = (ms: number) => timestamp(askedAtMs + ms)
    const answer = await toAnswer(database.read, centre, publicUrl, article, language)
    const objectId = objectIds[n % objectIds.length]
    const started = conversations.startConversation({
      bot: { id: chatbotId, orgId },
      scanned: objectId === undefined ? null : { kind: 'object', id: objectId },
      scanId: null,
      language,
      now: after(0),
    })
    await database.write(async (tx) => {
      const message = { text: question, files: [], messageKey: null }
      const { id } = await conversations.addVisitorMessage(tx, started, message, after(0))
      await conversations.storeAnswer(tx, started, answer, id, after(SECOND_MS))
      if (agent !== undefined) {
        await conversations.requestAgent(tx, started, { contact_email: 'visitor@acme.example' }, after(MINUTE_MS))
      }
    }, orgId)
    const settings = { appUrl, publicUrl, chatUrl: publicUrl, mails }
    const at = (ms: number) => operatorContext(database, orgId, () => askedAtMs + ms)()
    if (agent?.reply !== undefined) {
      await createMessage(at(10 * MINUTE_MS), started.id, { text: agent.reply }, null, settings)
    }
    if (agent?.change !== undefined) {
      await updateConversation(at(20 * MINUTE_MS), started.id, agent.change, null, { appUrl, mails })
    }
  }
  return STORIES.length
}

/** Answers like the embedded answerer, which needs an index that does not exist yet. */
async function toAnswer(
  db: Db,
  centre: Centre,
  publicUrl: string,
  slug: string | null,
  language: Language,
): Promise<Answer> {
  const same = { model: 'embedded', credits: 1, language, nearest: [] }
  const unknown = { ...same, text: UNKNOWN[language] ?? '', citations: [], isAnswered: false }
  if (slug === null) return unknown
  const article = await findArticle(db, centre, slug)
  const text = article?.texts.find((one) => one.language === language) ?? article?.own
  const content = text && (await readContent(db, centre, text))
  if (article === undefined || text === undefined || content === undefined) {
    throw new Error(`the demo has no article ${slug}`)
  }
  const citation = {
    article_id: article.id,
    version_number: 1,
    title: text.title,
    url: articlePath(publicUrl + centrePath(centre.publicSlug), slug, text.language),
    snippet: content.content_plain.slice(0, 300).toWellFormed(),
  }
  return { ...same, text: content.content, citations: [citation], isAnswered: true }
}
