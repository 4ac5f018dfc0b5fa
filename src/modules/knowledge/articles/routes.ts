import { type Context, implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import type { Markdown } from '../../../platform/markdown/index.ts'
import { articles } from './contract.ts'
import { deleteArticle } from './delete.ts'
import { listArticles } from './list.ts'
import { createArticle, getArticle, updateArticle } from './service.ts'
import { listArticleTags, replaceArticleTags } from './tags/tags.ts'

export const articleRoutes = (markdown: Markdown, publicUrlOf: PublicUrlOf) => {
  const settings = async ({ orgId }: Context) => ({ markdown, publicUrl: await publicUrlOf(orgId) })
  return implement(articles, {
    list: async (ctx, { query, after }) => listArticles(ctx, query, after, await publicUrlOf(ctx.orgId)),
    create: async (ctx, { body }) => createArticle(ctx, body, await settings(ctx)),
    get: async (ctx, { params }) => getArticle(ctx, params.id, await publicUrlOf(ctx.orgId)),
    update: async (ctx, { params, body }) => updateArticle(ctx, params.id, body, await settings(ctx)),
    delete: (ctx, { params }) => deleteArticle(ctx, params.id),
    listTags: (ctx, { params, query }) => listArticleTags(ctx, params.id, query),
    replaceTags: async (ctx, { params, query, body }) =>
      replaceArticleTags(ctx, params.id, body, query, await publicUrlOf(ctx.orgId)),
  })
}
