import type { Clock } from '../../../../platform/clock/index.ts'
import type { Database } from '../../../../platform/db/index.ts'
import type { Server } from '../../../../platform/http/server/server.ts'
import { type PageResponse, route } from '../../../../platform/pages/index.ts'
import { createRateLimiter, FailedAttempts } from '../../../../platform/rate-limit/index.ts'
import { ProofOfWork } from '../../../../platform/rate-limit/proof-of-work.ts'
import type { Logger } from '../../../../platform/telemetry/logging.ts'
import type { UploadRequest, Uploads } from '../../../assets/uploads/index.ts'
import type { Submissions } from '../../submissions/index.ts'
import type { PageRequestServices } from '../request-services.ts'
import { SCRIPT_PATH, SCRIPT_RESPONSE } from '../script/index.ts'
import { FormHandler, type FormRequest } from './handler.ts'
import { FormLimits } from './limits.ts'

export interface FormsServices {
  pages: PageRequestServices
  submissions: Submissions
  database: Database
  uploads: Uploads
  formsPerMinute: number
  addressOf: (request: UploadRequest['raw']) => string
  clock: Clock
  log: Logger
}

/** Adds to the server what visitors send to pages: forms and files. Also the script of forms, and proofs of work. */
export function mountForms(server: Server, services: FormsServices): void {
  const { pages, submissions, database, uploads, formsPerMinute, addressOf, clock, log } = services
  // Not the limiter of the API: visitors with very many addresses must not make it forget its callers.
  const limiter = createRateLimiter(database)
  const handler = new FormHandler({
    pages,
    submissions,
    ...uploads,
    limits: new FormLimits(limiter, formsPerMinute),
    proofs: new ProofOfWork(pages.keyring, limiter),
    refused: new FailedAttempts(),
    clock,
    log,
  })
  const add = (
    method: 'GET' | 'POST',
    url: string,
    operation: string,
    respond: (request: FormRequest) => PageResponse | Promise<PageResponse>,
  ) =>
    route(server, {
      method,
      url,
      operation,
      respond: ({ request, signal, query, params: { slug: publicSlug = '' } }) =>
        respond({ raw: request, address: addressOf(request), signal, publicSlug, query }),
    })
  add('GET', SCRIPT_PATH, 'page.script', () => SCRIPT_RESPONSE)
  add('GET', '/p/:slug/challenge', 'page.challenge', ({ publicSlug }) => handler.challenge(publicSlug))
  add('POST', '/p/:slug', 'page.form', (request) => handler.receiveForm(request))
  add('POST', '/p/:slug/files', 'page.file', (request) => handler.receiveFile(request))
}
