import { type Context, implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import { requireNamedScope } from '../../account/scopes/index.ts'
import { imageHandlers, type Logos } from '../code-images/index.ts'
import { historyHandlers } from '../history/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import { type RuleSettings, ruleHandlers } from '../rules/index.ts'
import { scanHandlers } from '../scans/index.ts'
import type { CodeDomains } from './addresses.ts'
import { type QrCodeCreate, qrCodes } from './contract.ts'
import { createCode, createCodes } from './create.ts'
import { codeOwner, deleteCode, getCode, getCodeImageSource, listCodes, requireCode, updateCode } from './service.ts'

export function qrCodeRoutes(publicUrlOf: PublicUrlOf, logos: Logos, domains: CodeDomains, rules: RuleSettings) {
  const settingsOf = async (ctx: Context) => ({ publicUrl: await publicUrlOf(ctx.orgId), domains })
  return implement(qrCodes, {
    list: async (ctx, { query }) => listCodes(ctx, query, await publicUrlOf(ctx.orgId)),
    create: async (ctx, { body }) => {
      requireSlugScope(ctx, [body])
      return createCode(ctx, body, await settingsOf(ctx))
    },
    createBatch: async (ctx, { body }) => {
      requireSlugScope(ctx, body.items ?? [])
      return createCodes(ctx, body, await settingsOf(ctx))
    },
    get: async (ctx, { params }) => getCode(ctx, params.id, await publicUrlOf(ctx.orgId)),
    update: async (ctx, { params, body }) => updateCode(ctx, params.id, body, await publicUrlOf(ctx.orgId)),
    delete: (ctx, { params }) => deleteCode(ctx, params.id),
    ...keyValueHandlers(async (ctx) => codeOwner(await publicUrlOf(ctx.orgId))),
    ...scanHandlers('qr_code', requireCode),
    ...ruleHandlers(rules, async (ctx) => codeOwner(await publicUrlOf(ctx.orgId))),
    ...historyHandlers(async (ctx) => codeOwner(await publicUrlOf(ctx.orgId))),
    ...imageHandlers(logos, async (ctx, ref) => getCodeImageSource(ctx, ref, await publicUrlOf(ctx.orgId))),
  })
}

/** On the host of the service, all organisations share the slugs. On its own domain, an organisation has them for itself. */
function requireSlugScope(ctx: Context, inputs: readonly QrCodeCreate[]): void {
  if (inputs.some(({ public_slug, domain_id }) => public_slug !== undefined && domain_id == null))
    requireNamedScope(ctx, 'codes.slugs')
}
