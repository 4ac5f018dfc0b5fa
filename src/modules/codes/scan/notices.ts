import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { ScannedThing } from '../scanned-things/index.ts'
import type { NoticeKind } from './pages/notice.ts'
import type { Senders } from './pages/senders.ts'
import type { Resolved } from './resolve.ts'
import type { Responder, ScanRequest } from './respond.ts'

interface NoticeServices {
  responder: Responder
  senders: Senders
  publicUrl: string
  /** Where owners sign in. */
  appUrl: string
  log: Logger
}

/** Whose code shows a notice. Without `kind` and `id` if the code is unknown. */
export type NoticeOrigin = Pick<Resolved, 'orgId' | 'domainUrl'> & Partial<Pick<Resolved, 'kind' | 'id'>>

/** Responds with a notice that names the organisation and what was scanned. */
export function showNotice(
  { senders, responder, publicUrl, appUrl }: NoticeServices,
  raw: ScanRequest,
  notice: NoticeKind,
  { orgId, kind, id, domainUrl }: NoticeOrigin,
): void {
  const thing = kind === undefined || id === undefined ? null : { kind, id }
  const setUp = notice === 'not_set_up' && thing !== null && { setUpUrl: setUpUrl(appUrl, thing) }
  void senders
    .find(orgId, thing, domainUrl ?? publicUrl)
    .then((sender) => responder.notice(raw, notice, { sender: sender && { ...sender, ...setUp } }))
}

/** The page of the account on which a destination is set, after signing in. */
const setUpUrl = (appUrl: string, { kind, id }: ScannedThing): string =>
  `${appUrl}/account/sign-in?next=${encodeURIComponent(`/account/code/${kind}/${id}`)}`

/** A database that is away is expected now and then. Everything else is a bug. */
export function showFailure({ log, responder }: NoticeServices, raw: ScanRequest, error: unknown): void {
  if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'a scan failed')
  responder.notice(raw, 'unavailable')
}
