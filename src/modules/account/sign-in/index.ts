export { Attempts } from './attempts.ts'
export { Confirm, type SentProof } from './confirm.ts'
export { type Place, SignIn, type SignInResult } from './service.ts'
