export { applyVersion, historyHandlers, SCHEDULES_TOPIC } from './service.ts'
