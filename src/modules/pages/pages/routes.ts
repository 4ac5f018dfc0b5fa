import { implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import { pages } from './contract.ts'
import { createPage, duplicatePage } from './create.ts'
import { deletePage, getPage, listPages, replaceBlocks, updatePage } from './service.ts'

export const pageRoutes = (publicUrlOf: PublicUrlOf) =>
  implement(pages, {
    list: async (ctx, { query, after }) => listPages(ctx, query, after, await publicUrlOf(ctx.orgId)),
    create: async (ctx, { body }) => createPage(ctx, body, await publicUrlOf(ctx.orgId)),
    get: async (ctx, { params }) => getPage(ctx, params.id, await publicUrlOf(ctx.orgId)),
    update: async (ctx, { params, body }) => updatePage(ctx, params.id, body, await publicUrlOf(ctx.orgId)),
    delete: (ctx, { params }) => deletePage(ctx, params.id),
    replaceBlocks: async (ctx, { params, body }) =>
      replaceBlocks(ctx, params.id, body.blocks, await publicUrlOf(ctx.orgId)),
    duplicate: async (ctx, { params }) => duplicatePage(ctx, params.id, await publicUrlOf(ctx.orgId)),
  })
