export { type EventStream, EventStreams, STREAM_LIMITS, type StreamLimits, type StreamOwner } from './event-streams.ts'
