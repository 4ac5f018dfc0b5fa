export type { ItemPlan, Kind } from './kind.ts'
export { createOrChange, createOrChangeAll, createOrChangeBatch, createOrChangeSame } from './service.ts'
