import { organisationPeople } from '../../modules/account/members/index.ts'
import { Mails } from '../../modules/mail/mails/index.ts'
import { checkAnswers } from '../../modules/pages/form/index.ts'
import { findPublicPage } from '../../modules/pages/published-pages/index.ts'
import { Submissions, updateSubmission } from '../../modules/pages/submissions/index.ts'
import { DAY_MS, MINUTE_MS } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import { Keyring } from '../../platform/keyring/index.ts'
import { createRateLimiter } from '../../platform/rate-limit/index.ts'
import type { Config } from '../config.ts'
import { operatorContext } from '../operator-context.ts'

type Change = Parameters<typeof updateSubmission>[2]

/** What people reported, how many days ago, and what became of it. */
const REPORTS: readonly (readonly [daysAgo: number, what: string, usable: 'yes' | 'partly' | 'no', change: Change])[] =
  [
    [19, 'The steam wand drips all the time.', 'yes', { status: 'resolved', notes: 'New seal fitted.' }],
    [12, 'Der Mahlgrad lässt sich nicht mehr verstellen.', 'partly', { status: 'resolved', priority: 'low' }],
    [6, 'It shows error E4 and beeps. ☕️😢', 'no', { status: 'in_progress', priority: 'high', flagged: true }],
    [2, 'Le réservoir d’eau fuit en dessous.', 'partly', { status: 'read', priority: 'medium' }],
    [1, 'Buy cheap watches online, best prices', 'yes', { status: 'spam' }],
    [0.1, 'The water tastes of plastic.', 'yes', {}],
  ]

/** Sends reports from the form of the page, each from one of the objects, and works on them. Returns how many there are. */
export async function createSubmissions(
  database: Database,
  config: Config,
  orgId: OrgId,
  publicSlug: string,
  objectIds: readonly string[],
  nowMs: number,
): Promise<number> {
  const keyring = await Keyring.load(database, config, nowMs)
  const mails = new Mails({ keyring, limiter: createRateLimiter(database), people: organisationPeople, canSend: false })
  const submissions = new Submissions({ database, mails })
  const page = await findPublicPage(database.read, publicSlug)
  if (page === undefined || page === 'gone') throw new Error('the page of the demo does not exist')
  for (const [n, [daysAgo, what, usable, change]] of REPORTS.entries()) {
    const sentAtMs = nowMs - daysAgo * DAY_MS
    const answers = new Map(Object.entries({ what: [what], usable: [usable] }))
    const checked = checkAnswers(page.blocks, answers, new Map(), 'en')
    if (!('data' in checked)) throw new Error('a report of the demo does not fit the form')
    const { id } = await submissions.receive({
      page,
      data: checked.data,
      files: [],
      scanned: { kind: 'object', id: objectIds[n % objectIds.length] as string },
      scanId: null,
      metadata: {},
      openedAtMs: sentAtMs - MINUTE_MS,
      formKey: null,
      suspicion: null,
      nowMs: sentAtMs,
    })
    await updateSubmission(operatorContext(database, orgId, () => sentAtMs + 30 * MINUTE_MS)(), id, change, null)
  }
  return REPORTS.length
}
