import { implement } from '../../../platform/http/index.ts'
import { members } from './contract.ts'
import { type Departure, getMember, listMembers, removeMember, updateMember } from './service.ts'

export const memberRoutes = (departure: Departure) =>
  implement(members, {
    list: (ctx, { query }) => listMembers(ctx, query),
    get: (ctx, { params }) => getMember(ctx, params.id),
    update: (ctx, { params, body }) => updateMember(ctx, params.id, body, departure),
    delete: (ctx, { params }) => removeMember(ctx, params.id, departure),
  })
