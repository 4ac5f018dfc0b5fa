import { implement } from '../../platform/http/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import type { CodeSettings } from '../scan-targets/index.ts'
import { listScans } from '../scans/index.ts'
import { objects } from './contract.ts'
import { createObject } from './create.ts'
import {
  deleteObject,
  drawObjectPicture,
  getObject,
  listObjects,
  objectOwner,
  requireObject,
  updateObject,
} from './service.ts'

export const objectRoutes = (settings: CodeSettings) =>
  implement(objects, {
    list: (ctx, { query }) => listObjects(ctx, query, settings),
    create: (ctx, { body }) => createObject(ctx, body, settings),
    get: (ctx, { params }) => getObject(ctx, params.id, settings),
    update: (ctx, { params, body }) => updateObject(ctx, params.id, body, settings),
    delete: (ctx, { params }) => deleteObject(ctx, params.id),
    ...keyValueHandlers(objectOwner(settings)),
    listScans: async (ctx, { params, query, after }) =>
      listScans(ctx, (await requireObject(ctx.read, ctx.orgId, params.id)).id, query, after),
    getImage: (ctx, { params, query, accept }) => drawObjectPicture(ctx, params.id, query, accept, settings),
  })
