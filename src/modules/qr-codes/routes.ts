import { implement } from '../../platform/http/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import type { CodeSettings } from '../scan-targets/index.ts'
import { listScans } from '../scans/index.ts'
import { qrCodes } from './contract.ts'
import { createCode, createCodes } from './create.ts'
import { codeOwner, deleteCode, drawCodePicture, getCode, listCodes, requireCode, updateCode } from './service.ts'

export const qrCodeRoutes = (settings: CodeSettings) =>
  implement(qrCodes, {
    list: (ctx, { query }) => listCodes(ctx, query, settings),
    create: (ctx, { body }) => createCode(ctx, body, settings),
    createBatch: (ctx, { body }) => createCodes(ctx, body, settings),
    get: (ctx, { params }) => getCode(ctx, params.id, settings),
    update: (ctx, { params, body }) => updateCode(ctx, params.id, body, settings),
    delete: (ctx, { params }) => deleteCode(ctx, params.id),
    ...keyValueHandlers(codeOwner(settings)),
    listScans: async (ctx, { params, query, after }) =>
      listScans(ctx, (await requireCode(ctx.read, ctx.orgId, params.id)).id, query, after),
    getImage: (ctx, { params, query, accept }) => drawCodePicture(ctx, params.id, query, accept, settings),
  })
