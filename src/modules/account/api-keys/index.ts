export { ApiKeyAuthenticator } from './authenticator.ts'
export type { ApiKey, ApiKeyCreate } from './contract.ts'
export { apiKeyRoutes } from './routes.ts'
export { asOperator, createKey, pauseKeysOf } from './service.ts'
