import { implement } from '../../../platform/http/index.ts'
import { organisation } from './contract.ts'
import { getProfile, type LogoChanged, updateProfile } from './service.ts'

export const organisationRoutes = (logoChanged: LogoChanged) =>
  implement(organisation, {
    get: (ctx) => getProfile(ctx.read, ctx.orgId),
    update: (ctx, { body }) => updateProfile(ctx, body, logoChanged),
  })
