import { implement } from '../../../platform/http/index.ts'
import { articleVersions } from './contract.ts'
import { diffVersions, type VersionSettings } from './diff.ts'
import { getVersion, listVersions, restoreVersion, snapshotArticle } from './service.ts'

export const articleVersionRoutes = (settings: VersionSettings) =>
  implement(articleVersions, {
    list: (ctx, { params, query }) => listVersions(ctx, params.id, query),
    create: (ctx, { params, body }) => snapshotArticle(ctx, params.id, body),
    get: (ctx, { params }) => getVersion(ctx, params.id, params.version),
    diff: (ctx, { params }) => diffVersions(ctx, params.id, params.from, params.to, settings),
    restore: (ctx, { params }) => restoreVersion(ctx, params.id, params.version, settings),
  })
