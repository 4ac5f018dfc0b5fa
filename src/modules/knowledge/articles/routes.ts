import { implement } from '../../../platform/http/index.ts'
import { articles } from './contract.ts'
import { deleteArticle } from './delete.ts'
import { listArticles } from './list.ts'
import type { ArticleSettings } from './plain.ts'
import { createArticle, getArticle, updateArticle } from './service.ts'
import { listArticleTags, replaceArticleTags } from './tags/tags.ts'

export const articleRoutes = (settings: ArticleSettings) =>
  implement(articles, {
    list: (ctx, { query, after }) => listArticles(ctx, query, after),
    create: (ctx, { body }) => createArticle(ctx, body, settings),
    get: (ctx, { params }) => getArticle(ctx, params.id),
    update: (ctx, { params, body }) => updateArticle(ctx, params.id, body, settings),
    delete: (ctx, { params }) => deleteArticle(ctx, params.id),
    listTags: (ctx, { params, query }) => listArticleTags(ctx, params.id, query),
    replaceTags: (ctx, { params, query, body }) => replaceArticleTags(ctx, params.id, body, query),
  })
