export { FileAnswer, Updated } from './answers.ts'
export { field, pathNumber, queryInteger } from './field.ts'
export { operations } from './operation.ts'
export { cursorQuery, eitherQuery, offsetQuery } from './pagination.ts'
