export { FileAnswer, Updated } from './answers.ts'
export { field, queryInteger } from './field.ts'
export { operations } from './operation.ts'
export { cursorQuery, offsetQuery } from './pagination.ts'
