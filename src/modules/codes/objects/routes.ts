import { implement } from '../../../platform/http/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
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

export const objectRoutes = (publicUrl: string) =>
  implement(objects, {
    list: (ctx, { query }) => listObjects(ctx, query, publicUrl),
    create: (ctx, { body }) => createObject(ctx, body, publicUrl),
    get: (ctx, { params }) => getObject(ctx, params.id, publicUrl),
    update: (ctx, { params, body }) => updateObject(ctx, params.id, body, publicUrl),
    delete: (ctx, { params }) => deleteObject(ctx, params.id),
    ...keyValueHandlers(objectOwner(publicUrl)),
    listScans: async (ctx, { params, query, after }) =>
      listScans(ctx, (await requireObject(ctx.read, ctx.orgId, params.id)).id, query, after),
    getImage: (ctx, { params, query, accept }) => drawObjectPicture(ctx, params.id, query, accept, publicUrl),
  })
