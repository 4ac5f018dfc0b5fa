import { implement } from '../../../platform/http/index.ts'
import { articleCategories } from './contract.ts'
import { type DeleteArticlesIn, deleteCategory } from './delete.ts'
import { createCategory, getCategory, listCategories, updateCategory } from './service.ts'

export const articleCategoryRoutes = (deleteArticlesIn: DeleteArticlesIn) =>
  implement(articleCategories, {
    list: (ctx, { query }) => listCategories(ctx, query),
    create: (ctx, { body }) => ctx.write((tx) => createCategory(tx, ctx, body)),
    get: (ctx, { params }) => getCategory(ctx, params.id),
    update: (ctx, { params, body }) => ctx.write((tx) => updateCategory(tx, ctx, params.id, body)),
    delete: (ctx, { params, query }) => deleteCategory(ctx, params.id, query.cascade === true, deleteArticlesIn),
  })
