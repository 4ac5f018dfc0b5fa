import { implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import { articleVersions } from './contract.ts'
import { diffVersions, type VersionSettings } from './diff.ts'
import { getVersion, listVersions, restoreVersion, snapshotArticle } from './service.ts'

export const articleVersionRoutes = (settings: VersionSettings, publicUrlOf: PublicUrlOf) =>
  implement(articleVersions, {
    list: (ctx, { params, query }) => listVersions(ctx, params.id, query),
    create: async (ctx, { params, body }) => snapshotArticle(ctx, params.id, body, await publicUrlOf(ctx.orgId)),
    get: (ctx, { params }) => getVersion(ctx, params.id, params.version),
    diff: (ctx, { params }) => diffVersions(ctx, params.id, params.from, params.to, settings),
    restore: async (ctx, { params }) =>
      restoreVersion(ctx, params.id, params.version, { ...settings, publicUrl: await publicUrlOf(ctx.orgId) }),
  })
