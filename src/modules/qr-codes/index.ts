export { qrCodeEvents } from './events.ts'
export { qrCodeRoutes } from './routes.ts'
export { type CodeSettings, detachCodes } from './service.ts'
