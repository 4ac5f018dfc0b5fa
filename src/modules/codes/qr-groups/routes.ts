import { implement } from '../../../platform/http/index.ts'
import { historyHandlers } from '../history/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import { type RuleSettings, ruleHandlers } from '../rules/index.ts'
import { qrGroups } from './contract.ts'
import { createGroup, type DetachCodes, deleteGroup, getGroup, groupOwner, listGroups, updateGroup } from './service.ts'

export const qrGroupRoutes = (detachCodes: DetachCodes, rules: RuleSettings) =>
  implement(qrGroups, {
    list: (ctx, { query }) => listGroups(ctx, query),
    create: (ctx, { body }) => createGroup(ctx, body),
    get: (ctx, { params }) => getGroup(ctx, params.id),
    update: (ctx, { params, body }) => updateGroup(ctx, params.id, body),
    delete: (ctx, { params }) => deleteGroup(ctx, params.id, detachCodes),
    ...keyValueHandlers(() => groupOwner),
    ...ruleHandlers(rules, () => groupOwner),
    ...historyHandlers(() => groupOwner),
  })
