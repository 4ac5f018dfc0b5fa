import type { Database } from '../../../platform/db/index.ts'
import type { BodyReader } from '../../../platform/http/bodies/body-reader.ts'
import type { UploadTimes } from '../../../platform/http/bodies/incoming-chunks.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import { createRateLimiter } from '../../../platform/rate-limit/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import type { UploadSettings } from '../assets/index.ts'
import { FileStore } from './file-store.ts'
import { FormReader } from './form-reader.ts'
import { UploadLimits } from './upload-limits.ts'
import { UploadTokens } from './upload-tokens.ts'

export type { AnsweredFile, FileProblem, FileProblemCode } from './file-problems.ts'
export type { FileStore } from './file-store.ts'
export type { FormReader, UploadRequest } from './form-reader.ts'
export { type AnsweredForm, collectFiles, fileField } from './sent-files.ts'
export { firstValue, type SentForm } from './sent-form.ts'
export type { UploadLimits } from './upload-limits.ts'
export type { FileFields, FileRules, UploadTarget } from './upload-target.ts'
export type { UploadTokens } from './upload-tokens.ts'

/** What receives the forms and files of visitors. */
export interface Uploads {
  reader: FormReader
  store: FileStore
  tokens: UploadTokens
  uploads: UploadLimits
}

interface UploadServices {
  database: Database
  keyring: Keyring
  assets: UploadSettings
  bodies: BodyReader
  uploadTimes: UploadTimes
  log: Logger
  metrics: Metrics
}

/** Shared by pages and chatbots, so that their limits hold for both together. */
export const createUploads = ({
  database,
  keyring,
  assets,
  bodies,
  uploadTimes,
  log,
  metrics,
}: UploadServices): Uploads => ({
  reader: new FormReader(bodies, assets.store, uploadTimes, metrics),
  store: new FileStore(assets, log),
  tokens: new UploadTokens(keyring, database.read),
  // Not the limiter of the API: visitors with very many addresses must not make it forget its callers.
  uploads: new UploadLimits(createRateLimiter(database)),
})
