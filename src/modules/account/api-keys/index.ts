export { ApiKeyAuthenticator } from './authenticator.ts'
export { type ApiKey, createKey, listKeys, pauseKey, resumeKey, revokeKey } from './service.ts'
