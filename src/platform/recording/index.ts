export { openRecorder } from './open-recorder.ts'
export type { Recorder } from './recorder.ts'
export { Settling } from './settling.ts'
