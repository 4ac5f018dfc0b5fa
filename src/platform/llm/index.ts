export { Breaker } from './breaker.ts'
export { type ChatMessage, LlmClient } from './client.ts'
export { LlmError } from './llm-error.ts'
export type { LlmModel, LlmSettings } from './settings.ts'
