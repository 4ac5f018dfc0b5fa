export { type EventCatalogue, resourceEvents } from './catalogue.ts'
export { Changes, changesOf } from './changes.ts'
export { EVENTS_TOPIC, emit, emitAll } from './emit.ts'
export { redactEvents } from './redact.ts'
