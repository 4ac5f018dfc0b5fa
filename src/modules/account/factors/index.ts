export { factorMails } from './mails.ts'
export { type Proof, Proofs, type SentPasskey } from './proofs.ts'
export {
  type Changed,
  type Changer,
  Factors,
  hasFactors,
  listFactors,
  removeFactorsSince,
  resetFactors,
} from './service.ts'
export { Tickets } from './tickets.ts'
export type { RelyingParty } from './webauthn.ts'
