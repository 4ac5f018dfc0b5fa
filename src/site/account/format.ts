export { formatTime } from '../../platform/text/format-time.ts'
