import { timestamp } from '../../../platform/clock/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { DisabledNotice } from '../webhooks/index.ts'
import { deliveryMails, NOTICES } from './mails.ts'

/** Mails the owners of an organisation that one of its endpoints was disabled. */
export const disabledNotice = (mails: Mails, orgId: OrgId, endpointId: string, nowMs: number): DisabledNotice => ({
  isDue: () => mails.admits(NOTICES, endpointId, nowMs),
  write: (tx, { url, failingSince }) => {
    const now = timestamp(nowMs)
    const { origin, pathname } = new URL(url)
    // The query of an endpoint may contain a secret of its receiver.
    const endpoint = `${origin}${pathname}`
    return failingSince === null
      ? mails.toOwners(tx, orgId, deliveryMails.endpointGone, { endpoint, time: now }, now)
      : mails.toOwners(tx, orgId, deliveryMails.endpointFailing, { endpoint, since: failingSince, time: now }, now)
  },
})
