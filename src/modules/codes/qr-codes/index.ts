export { qrCodeEvents } from './events.ts'
export { qrCodeRoutes } from './routes.ts'
export { detachCodes } from './service.ts'
