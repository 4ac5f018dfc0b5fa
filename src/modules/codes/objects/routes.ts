import { implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import { imageHandlers, type Logos } from '../code-images/index.ts'
import { historyHandlers } from '../history/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import { type RuleSettings, ruleHandlers } from '../rules/index.ts'
import { scanHandlers } from '../scans/index.ts'
import { objects } from './contract.ts'
import { createObject, createObjects } from './create.ts'
import {
  type DetachCodes,
  deleteObject,
  getObject,
  getObjectImageSource,
  listObjects,
  objectOwner,
  requireObject,
  updateObject,
} from './service.ts'

export const objectRoutes = (publicUrlOf: PublicUrlOf, logos: Logos, detachCodes: DetachCodes, rules: RuleSettings) =>
  implement(objects, {
    list: async (ctx, { query }) => listObjects(ctx, query, await publicUrlOf(ctx.orgId)),
    create: async (ctx, { body }) => createObject(ctx, body, await publicUrlOf(ctx.orgId)),
    createBatch: async (ctx, { body, refused }) => createObjects(ctx, body, refused, await publicUrlOf(ctx.orgId)),
    get: async (ctx, { params }) => getObject(ctx, params.id, await publicUrlOf(ctx.orgId)),
    update: async (ctx, { params, body }) => updateObject(ctx, params.id, body, await publicUrlOf(ctx.orgId)),
    delete: (ctx, { params }) => deleteObject(ctx, params.id, detachCodes),
    ...keyValueHandlers(async (ctx) => objectOwner(await publicUrlOf(ctx.orgId))),
    ...scanHandlers('object', requireObject),
    ...ruleHandlers(rules, async (ctx) => objectOwner(await publicUrlOf(ctx.orgId))),
    ...historyHandlers(async (ctx) => objectOwner(await publicUrlOf(ctx.orgId))),
    ...imageHandlers(logos, async (ctx, id) => getObjectImageSource(ctx, id, await publicUrlOf(ctx.orgId))),
  })
