import { expect } from 'vitest'
import type { Service } from '../../main/service.ts'
import { organisationPeople } from '../../modules/account/members/index.ts'
import { Mails } from '../../modules/mail/mails/index.ts'
import type { Answers } from '../../modules/pages/form/index.ts'
import { checkAnswers } from '../../modules/pages/form/index.ts'
import { findPublicPage, type PublicPage } from '../../modules/pages/published-pages/index.ts'
import { type ReceivedForm, type ReceivedSubmission, Submissions } from '../../modules/pages/submissions/index.ts'
import { createRateLimiter } from '../../platform/rate-limit/index.ts'
import type { Client } from '../client.ts'
import type { Harness, Tenant } from '../harness.ts'

const FORM_BLOCKS = [
  { type: 'heading', config: { text: 'Report a fault', level: 1 } },
  { type: 'form_textarea', config: { label: { en: 'What happened?', de: 'Was ist passiert?' }, name: 'what' } },
  { type: 'form_email', config: { label: 'Your email', name: 'email' } },
  { type: 'form_number', config: { label: 'Floor', name: 'floor' } },
  { type: 'form_media', config: { label: 'Photo', name: 'photo' } },
]

/** An active page with a form. */
export async function createForm(client: Client, more: object = {}): Promise<any> {
  const reply = await client.post('/v1/pages', {
    title: 'Report a fault',
    status: 'active',
    blocks: FORM_BLOCKS,
    ...more,
  })
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}

const receivers = new WeakMap<object, Submissions>()

/** One for each service, as in a real one: it stores forms of a page together. */
export function submissionsOf({ service }: Harness, canSend = false): Submissions {
  const known = receivers.get(service)
  if (known !== undefined) return known
  const submissions = newSubmissions(service, canSend)
  receivers.set(service, submissions)
  return submissions
}

/** A receiver of its own, as another process has. */
export function newSubmissions({ database, keyring }: Pick<Service, 'database' | 'keyring'>, canSend = false) {
  const mails = new Mails({ keyring, limiter: createRateLimiter(database), people: organisationPeople, canSend })
  return new Submissions({ database, mails, publicUrlOf: () => 'https://go.acme.example' })
}

export async function publicPage(harness: Harness, tenant: Tenant, pageId: string): Promise<PublicPage> {
  const { public_slug } = (await tenant.get(`/v1/pages/${pageId}`)).body
  const page = await findPublicPage(harness.service.database.read, public_slug)
  if (page === undefined || page === 'gone') throw new Error('the page does not exist')
  return page
}

/** A form that a visitor has filled in, with answers by the name of their field. */
export function filledIn(
  harness: Harness,
  page: PublicPage,
  answers: Record<string, string | string[]> = { what: 'The door does not close.' },
  more: Partial<ReceivedForm> = {},
): ReceivedForm {
  const sent: Answers = new Map(Object.entries(answers).map(([name, value]) => [name, [value].flat()]))
  const files = new Map((more.files ?? []).map((file) => [file.id, file]))
  const checked = checkAnswers(page.blocks, sent, files, page.defaultLanguage)
  if (!('data' in checked)) throw new Error(`the form has problems: ${JSON.stringify(checked.problems)}`)
  return {
    page,
    data: checked.data,
    files: [],
    scanned: null,
    scanId: null,
    metadata: {},
    openedAtMs: null,
    formKey: null,
    suspicion: null,
    language: 'en',
    sender: '192.0.2.1',
    nowMs: harness.nowMs(),
    ...more,
  }
}

/** A visitor sends the form of a page. */
export const receive = async (
  harness: Harness,
  tenant: Tenant,
  pageId: string,
  answers?: Record<string, string | string[]>,
  more?: Partial<ReceivedForm>,
): Promise<ReceivedSubmission> =>
  submissionsOf(harness).receive(filledIn(harness, await publicPage(harness, tenant, pageId), answers, more))
