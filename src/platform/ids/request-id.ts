import { randomBase62 } from './random.ts'

export const newRequestId = (): string => `req_${randomBase62(16)}`
