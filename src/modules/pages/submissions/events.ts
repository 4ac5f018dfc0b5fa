import { resourceEvents } from '../../../platform/outbox/index.ts'
import { Submission } from './contract.ts'

const { 'submission.updated': updated, 'submission.deleted': deleted } = resourceEvents('submission', Submission)

/** The audit log has neither answers nor notes: it is kept when a submission is erased. */
export const submissionEvents = {
  'page.submission.created': {
    description: 'A visitor sent the form of a page. Not emitted for suspected spam.',
    payload: Submission,
    unaudited: ['data', 'metadata'],
  },
  'submission.updated': { ...updated, unaudited: ['notes'] },
  'submission.deleted': { ...deleted, description: 'A submission was erased.' },
}
