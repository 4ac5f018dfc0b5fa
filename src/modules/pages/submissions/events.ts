import { resourceEvents } from '../../../platform/outbox/index.ts'
import { Submission, SubmissionReply } from './contract.ts'

const { 'submission.updated': updated, 'submission.deleted': deleted } = resourceEvents('submission', Submission)

/** The audit log has neither answers nor notes: it is kept when a submission is erased. */
export const submissionEvents = {
  'page.submission.created': {
    description: 'A visitor sent the form of a page. Not emitted for suspected spam.',
    payload: Submission,
    unaudited: ['data', 'metadata'],
  },
  'submission.updated': { ...updated, unaudited: ['notes'] },
  'submission.replied': {
    description: 'Your team replied to the visitor who sent a submission. `reply` is the reply.',
    payload: Submission.extend({ data: Submission.shape.data.nullable(), reply: SubmissionReply }).meta({
      id: 'SubmissionReplied',
    }),
    // A long submission and a long reply may be too long together.
    omits: ['data'],
  },
  'submission.deleted': { ...deleted, description: 'A submission was erased.' },
}
