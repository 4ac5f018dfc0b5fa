import { implement } from '../../../platform/http/index.ts'
import { destinationChanges } from './contract.ts'
import { changeDestinations, undoChange } from './service.ts'

export const destinationChangeRoutes = implement(destinationChanges, {
  change: (ctx, { body }) => changeDestinations(ctx, body),
  undoChange: (ctx, { params }) => undoChange(ctx, params.undo_id),
})
