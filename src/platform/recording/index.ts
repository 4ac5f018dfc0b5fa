export { Journal } from './journal.ts'
export { Recorder } from './recorder.ts'
