import { implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import type { ImageSettings } from '../products/index.ts'
import { productLinks } from './contract.ts'
import { listLinks, replaceLinks } from './service.ts'

export const productLinkRoutes = (settings: ImageSettings, publicUrlOf: PublicUrlOf) =>
  implement(productLinks, {
    list: (ctx, { params, query }) => listLinks(ctx, params.id, query),
    replace: async (ctx, { params, query, body }) => {
      const linkUrl = await publicUrlOf(ctx.orgId)
      return replaceLinks(ctx, params.id, body.links, query, { ...settings, linkUrl })
    },
  })
