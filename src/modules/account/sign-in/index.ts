export { Attempts } from './attempts.ts'
export { Confirm } from './confirm.ts'
export { signInMails } from './mails.ts'
export { SignIn, type SignInResult } from './service.ts'
