import { implement } from '../../../platform/http/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import { imageHandlers } from '../pictures/index.ts'
import { scanHandlers } from '../scans/index.ts'
import { objects } from './contract.ts'
import { createObject } from './create.ts'
import {
  deleteObject,
  getObject,
  getObjectImageSource,
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
    ...scanHandlers(requireObject),
    ...imageHandlers((ctx, id) => getObjectImageSource(ctx, id, publicUrl)),
  })
