import { organisationPeople } from '../../modules/account/members/index.ts'
import { Mails } from '../../modules/mail/mails/index.ts'
import { checkAnswers } from '../../modules/pages/form/index.ts'
import { findPublicPage } from '../../modules/pages/published-pages/index.ts'
import { createReply, receiptPath, Submissions, updateSubmission } from '../../modules/pages/submissions/index.ts'
import { DAY_MS, MINUTE_MS } from '../../platform/clock/index.ts'
import type { Language } from '../../platform/contract/languages.ts'
import type { Database } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import { Keyring } from '../../platform/keyring/index.ts'
import { createRateLimiter } from '../../platform/rate-limit/index.ts'
import type { Config } from '../config.ts'
import { operatorContext } from '../operator-context.ts'

type Change = Parameters<typeof updateSubmission>[2]

interface Report {
  daysAgo: number
  language: Language
  what: string
  usable: 'yes' | 'partly' | 'no'
  change: Change
  reply?: string
}

/** What people reported, what became of it, and what they were told. */
const REPORTS: readonly Report[] = [
  {
    daysAgo: 19,
    language: 'en',
    what: 'The steam wand drips all the time.',
    usable: 'yes',
    change: { status: 'resolved', notes: 'New seal fitted.' },
    reply: 'Thank you for telling us. We have fitted a new seal, and the wand is dry again.',
  },
  {
    daysAgo: 12,
    language: 'de',
    what: 'Der Mahlgrad lässt sich nicht mehr verstellen.',
    usable: 'partly',
    change: { status: 'resolved', priority: 'low' },
    reply: 'Danke für den Hinweis. Das Mahlwerk ist gereinigt, der Mahlgrad lässt sich wieder verstellen.',
  },
  {
    daysAgo: 6,
    language: 'en',
    what: 'It shows error E4 and beeps. ☕️😢',
    usable: 'no',
    change: { status: 'in_progress', priority: 'high', flagged: true },
    reply:
      'The pump has to be replaced. The part arrives on Monday.\nUntil then, please use the machine in the workshop.',
  },
  {
    daysAgo: 2,
    language: 'fr',
    what: 'Le réservoir d’eau fuit en dessous.',
    usable: 'partly',
    change: { status: 'read', priority: 'medium' },
  },
  {
    daysAgo: 1,
    language: 'en',
    what: 'Buy cheap watches online, best prices',
    usable: 'yes',
    change: { status: 'spam' },
  },
  { daysAgo: 0.1, language: 'en', what: 'The water tastes of plastic.', usable: 'yes', change: {} },
]

/** Sends reports from the form of the page, each from one of the objects, and works on them. */
export async function createSubmissions(
  database: Database,
  config: Config,
  orgId: OrgId,
  publicSlug: string,
  objectIds: readonly string[],
  nowMs: number,
): Promise<{ count: number; receiptUrl: string }> {
  const keyring = await Keyring.load(database, config, nowMs)
  const mails = new Mails({ keyring, limiter: createRateLimiter(database), people: organisationPeople, canSend: false })
  const publicUrlOf = () => config.publicUrl
  const submissions = new Submissions({ database, mails, publicUrlOf })
  const page = await findPublicPage(database.read, publicSlug)
  if (page === undefined || page === 'gone') throw new Error('the page of the demo does not exist')
  let receiptUrl = ''
  for (const [n, { daysAgo, language, what, usable, change, reply }] of REPORTS.entries()) {
    const sentAtMs = nowMs - daysAgo * DAY_MS
    const answers = new Map(Object.entries({ what: [what], usable: [usable] }))
    const checked = checkAnswers(page.blocks, answers, new Map(), language, page.defaultLanguage)
    if (!('data' in checked)) throw new Error('a report of the demo does not fit the form')
    const { id, receiptToken } = await submissions.receive({
      page,
      data: checked.data,
      files: [],
      scanned: { kind: 'object', id: objectIds[n % objectIds.length] as string },
      scanId: null,
      metadata: {},
      openedAtMs: sentAtMs - MINUTE_MS,
      formKey: null,
      suspicion: null,
      language,
      sender: '',
      nowMs: sentAtMs,
    })
    const ctx = operatorContext(database, orgId, () => sentAtMs + 30 * MINUTE_MS)
    await updateSubmission(ctx(), id, change, null)
    if (reply === undefined) continue
    await createReply(ctx(), id, { text: reply }, null, { mails, publicUrlOf })
    receiptUrl = config.publicUrl + receiptPath(receiptToken)
  }
  return { count: REPORTS.length, receiptUrl }
}
