import { implement } from '../../../platform/http/index.ts'
import { pages } from './contract.ts'
import { createPage, duplicatePage } from './create.ts'
import { deletePage, getPage, listPages, replaceBlocks, updatePage } from './service.ts'

export const pageRoutes = (publicUrl: string) =>
  implement(pages, {
    list: (ctx, { query, after }) => listPages(ctx, query, after, publicUrl),
    create: (ctx, { body }) => createPage(ctx, body, publicUrl),
    get: (ctx, { params }) => getPage(ctx, params.id, publicUrl),
    update: (ctx, { params, body }) => updatePage(ctx, params.id, body, publicUrl),
    delete: (ctx, { params }) => deletePage(ctx, params.id),
    replaceBlocks: (ctx, { params, body }) => replaceBlocks(ctx, params.id, body.blocks, publicUrl),
    duplicate: (ctx, { params }) => duplicatePage(ctx, params.id, publicUrl),
  })
