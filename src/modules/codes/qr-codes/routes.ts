import { implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import { imageHandlers, type Logos } from '../code-images/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import { scanHandlers } from '../scans/index.ts'
import { qrCodes } from './contract.ts'
import { createCode, createCodes } from './create.ts'
import { codeOwner, deleteCode, getCode, getCodeImageSource, listCodes, requireCode, updateCode } from './service.ts'

export const qrCodeRoutes = (publicUrlOf: PublicUrlOf, logos: Logos) =>
  implement(qrCodes, {
    list: async (ctx, { query }) => listCodes(ctx, query, await publicUrlOf(ctx.orgId)),
    create: async (ctx, { body }) => createCode(ctx, body, await publicUrlOf(ctx.orgId)),
    createBatch: async (ctx, { body }) => createCodes(ctx, body, await publicUrlOf(ctx.orgId)),
    get: async (ctx, { params }) => getCode(ctx, params.id, await publicUrlOf(ctx.orgId)),
    update: async (ctx, { params, body }) => updateCode(ctx, params.id, body, await publicUrlOf(ctx.orgId)),
    delete: (ctx, { params }) => deleteCode(ctx, params.id),
    ...keyValueHandlers(async (ctx) => codeOwner(await publicUrlOf(ctx.orgId))),
    ...scanHandlers(requireCode),
    ...imageHandlers(logos, async (ctx, ref) => getCodeImageSource(ctx, ref, await publicUrlOf(ctx.orgId))),
  })
