export type { Kind, Plan } from './kind.ts'
export { createOrChange, createOrChangeAll, createOrChangeBatch, createOrChangeSame } from './service.ts'
