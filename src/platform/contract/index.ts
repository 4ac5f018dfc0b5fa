export { field } from './field.ts'
export { operations } from './operation.ts'
export { cursorQuery, offsetQuery } from './pagination.ts'
