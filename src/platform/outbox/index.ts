export { type EventCatalogue, resourceEvents } from './catalogue.ts'
export { type Changes, changesOf } from './changes.ts'
export { EVENTS_TOPIC, emit, emitAll } from './emit.ts'
