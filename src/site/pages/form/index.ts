import type { ServerResponse } from 'node:http'
import type { AssetSettings } from '../../../modules/assets/assets/index.ts'
import type { Submissions } from '../../../modules/pages/submissions/index.ts'
import type { Clock } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { BodyReader } from '../../../platform/http/body-reader.ts'
import { ClientLeft } from '../../../platform/http/client-left.ts'
import type { UploadLimits } from '../../../platform/http/incoming-chunks.ts'
import type { Server } from '../../../platform/http/server.ts'
import { ImageCleaner } from '../../../platform/images/index.ts'
import { createRateLimiter, FailedAttempts } from '../../../platform/rate-limit/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import { SCRIPT_ANSWER, SCRIPT_PATH } from '../script/index.ts'
import type { PageSite } from '../site.ts'
import type { Answer } from './answers.ts'
import { FileStore } from './file-store.ts'
import { FormReader, type Sender } from './form-reader.ts'
import { FormHandler, type FormRequest } from './handler.ts'
import { FormLimits } from './limits.ts'
import { ProofOfWork } from './proof-of-work.ts'
import { UploadTokens } from './upload-tokens.ts'

export interface FormsServices {
  site: PageSite
  submissions: Submissions
  database: Database
  assets: AssetSettings
  bodies: BodyReader
  uploadLimits: UploadLimits
  formsPerMinute: number
  addressOf: (request: Sender['request']) => string
  clock: Clock
  log: Logger
  metrics: Metrics
}

/** Adds to the server what visitors send to pages: forms and files. Also the script of forms, and proofs of work. */
export function mountForms(server: Server, services: FormsServices): void {
  const { site, submissions, database, assets, bodies, uploadLimits, formsPerMinute, addressOf, clock, log, metrics } =
    services
  // Not the limiter of the API: visitors with very many addresses must not make it forget its callers.
  const limiter = createRateLimiter(database)
  const handler = new FormHandler({
    site,
    submissions,
    reader: new FormReader(bodies, assets.store, uploadLimits, metrics),
    limits: new FormLimits(limiter, formsPerMinute),
    proofs: new ProofOfWork(site.keyring, limiter),
    tokens: new UploadTokens(site.keyring, database.read),
    store: new FileStore(assets, new ImageCleaner(metrics), log),
    refused: new FailedAttempts(),
    clock,
    log,
  })
  const add = (
    method: 'GET' | 'POST',
    url: string,
    operation: string,
    answer: (sent: FormRequest) => Answer | Promise<Answer>,
  ) =>
    server.route({
      method,
      url,
      config: { operation },
      handler: async (request, reply) => {
        const { status, headers, body } = await answer({
          request: request.raw,
          address: addressOf(request.raw),
          signal: signalOf(reply.raw),
          publicSlug: (request.params as { slug?: string }).slug ?? '',
          query: new URLSearchParams(request.url.split('?')[1]),
        })
        return reply
          .code(status)
          .headers({ ...headers, 'x-request-id': request.id })
          .send(body)
      },
    })
  add('GET', SCRIPT_PATH, 'page.script', () => ({ status: 200, ...SCRIPT_ANSWER }))
  add('GET', '/p/:slug/challenge', 'page.challenge', ({ publicSlug }) => handler.challenge(publicSlug))
  add('POST', '/p/:slug', 'page.form', (sent) => handler.receiveForm(sent))
  add('POST', '/p/:slug/files', 'page.file', (sent) => handler.receiveFile(sent))
}

/** Aborted when the visitor leaves before the response. */
function signalOf(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) left.abort(new ClientLeft())
  })
  return left.signal
}
