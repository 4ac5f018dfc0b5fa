import { implement } from '../../../platform/http/index.ts'
import type { ArticleSettings } from '../articles/index.ts'
import { articleTranslations } from './contract.ts'
import { createTranslation, deleteTranslation, getTranslation, listTranslations, updateTranslation } from './service.ts'

export const articleTranslationRoutes = (settings: ArticleSettings) =>
  implement(articleTranslations, {
    list: (ctx, { params, query }) => listTranslations(ctx, params.id, query),
    create: (ctx, { params, body }) => createTranslation(ctx, params.id, body, settings),
    get: (ctx, { params }) => getTranslation(ctx, params.id, params.language),
    update: (ctx, { params, body }) => updateTranslation(ctx, params.id, params.language, body, settings),
    delete: (ctx, { params }) => deleteTranslation(ctx, params.id, params.language),
  })
