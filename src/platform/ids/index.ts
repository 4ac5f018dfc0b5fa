export type { OrgId } from './org-id.ts'
export { randomBase62, randomBytes, randomText, toBase62 } from './random.ts'
export { newRequestId } from './request-id.ts'
export { firstIdAt, LOWER_CASE_UUID, newId, newIdAt, UUID_PATTERN } from './uuid.ts'
