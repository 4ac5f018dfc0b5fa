import { implement } from '../../../platform/http/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import { imageHandlers } from '../pictures/index.ts'
import { scanHandlers } from '../scans/index.ts'
import { qrCodes } from './contract.ts'
import { createCode, createCodes } from './create.ts'
import { codeOwner, deleteCode, getCode, getCodeImageSource, listCodes, requireCode, updateCode } from './service.ts'

export const qrCodeRoutes = (publicUrl: string) =>
  implement(qrCodes, {
    list: (ctx, { query }) => listCodes(ctx, query, publicUrl),
    create: (ctx, { body }) => createCode(ctx, body, publicUrl),
    createBatch: (ctx, { body }) => createCodes(ctx, body, publicUrl),
    get: (ctx, { params }) => getCode(ctx, params.id, publicUrl),
    update: (ctx, { params, body }) => updateCode(ctx, params.id, body, publicUrl),
    delete: (ctx, { params }) => deleteCode(ctx, params.id),
    ...keyValueHandlers(codeOwner(publicUrl)),
    ...scanHandlers(requireCode),
    ...imageHandlers((ctx, ref) => getCodeImageSource(ctx, ref, publicUrl)),
  })
