import { implement } from '../../../platform/http/index.ts'
import { me } from './contract.ts'
import { getMe } from './service.ts'

export const meRoutes = implement(me, { get: (ctx) => getMe(ctx) })
