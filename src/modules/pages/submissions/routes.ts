import { implement } from '../../../platform/http/index.ts'
import type { AssetSettings } from '../../assets/assets/index.ts'
import { listActivity } from './activity.ts'
import { submissions } from './contract.ts'
import { eraseSubmission, type ForgetResponses } from './erase.ts'
import { Exports } from './export/exports.ts'
import { getFile } from './files.ts'
import { createReply, type ReplySettings } from './replies/create-reply.ts'
import { listReplies } from './replies/replies.ts'
import { getSubmission, listSubmissions, updateSubmission } from './service.ts'

export function submissionRoutes(
  assets: Pick<AssetSettings, 'store'>,
  forgetResponses: ForgetResponses,
  settings: ReplySettings,
) {
  const exports = new Exports()
  return implement(submissions, {
    list: (ctx, { query, after }) => listSubmissions(ctx, query, after),
    exportAsCsv: (ctx, { query }) => exports.csv(ctx, query),
    exportAsXlsx: (ctx, { query }) => exports.xlsx(ctx, query),
    get: (ctx, { params, query }) => getSubmission(ctx, params.id, query),
    update: (ctx, { params, body }) => updateSubmission(ctx, params.id, body, ctx.credential.userId),
    delete: (ctx, { params }) => eraseSubmission(ctx, params.id, forgetResponses),
    listEvents: (ctx, { params, query, after }) => listActivity(ctx, params.id, query, after),
    listReplies: (ctx, { params, query, after }) => listReplies(ctx, params.id, query, after),
    createReply: (ctx, { params, body }) => createReply(ctx, params.id, body, ctx.credential.userId, settings),
    getFile: (ctx, { params }) => getFile(ctx, params, assets),
  })
}
