export { type HashCost, PasswordHasher } from './hash-password.ts'
export { findPasswordProblem, type PasswordProblem } from './password-rules.ts'
