export { wordsOf } from './question-words.ts'
