import { type Context, implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import type { Markdown } from '../../../platform/markdown/index.ts'
import { articleTranslations } from './contract.ts'
import { createTranslation, deleteTranslation, getTranslation, listTranslations, updateTranslation } from './service.ts'

export const articleTranslationRoutes = (markdown: Markdown, publicUrlOf: PublicUrlOf) => {
  const settings = async ({ orgId }: Context) => ({ markdown, publicUrl: await publicUrlOf(orgId) })
  return implement(articleTranslations, {
    list: async (ctx, { params, query }) => listTranslations(ctx, params.id, query, await publicUrlOf(ctx.orgId)),
    create: async (ctx, { params, body }) => createTranslation(ctx, params.id, body, await settings(ctx)),
    get: async (ctx, { params }) => getTranslation(ctx, params.id, params.language, await publicUrlOf(ctx.orgId)),
    update: async (ctx, { params, body }) =>
      updateTranslation(ctx, params.id, params.language, body, await settings(ctx)),
    delete: async (ctx, { params }) => deleteTranslation(ctx, params.id, params.language, await publicUrlOf(ctx.orgId)),
  })
}
