import { PATHS, stepPath } from './layout.ts'
import { accountPage } from './pages/account.ts'
import { changeKey, createKey, keysPage } from './pages/api-keys.ts'
import { applicationsPage, disconnectApplication } from './pages/applications.ts'
import { auditLogPage } from './pages/audit-log.ts'
import { codePage, saveCode } from './pages/code.ts'
import { checkDomain, disconnectDomain, domainPage } from './pages/domains/domain.ts'
import { addRoute, changeRoute, saveFallback } from './pages/domains/domain-settings.ts'
import { connectDomain, domainsPage } from './pages/domains/domains.ts'
import { changeEmailPage, confirmEmailChange, requestEmailChange } from './pages/email.ts'
import { addPasskey, addTotp, passkeyPage, removeFactor, renewRecoveryCodes, totpPage } from './pages/factors.ts'
import { deleteOrganisation, organisationPage, saveOrganisation } from './pages/organisation.ts'
import { endOtherSessions, endSession, saveProfile, signOut, switchOrganisation } from './pages/own-account.ts'
import { addressStepPage, confirmAddress, confirmAddressPage } from './pages/sign-in/address.ts'
import { confirm, confirmPage } from './pages/sign-in/confirm.ts'
import { consentPage, decide } from './pages/sign-in/consent.ts'
import { forgotPage, requestReset } from './pages/sign-in/forgot-password.ts'
import { acceptInvitation, invitationPage } from './pages/sign-in/invitation.ts'
import { changePassword, resetPage, resetPassword } from './pages/sign-in/password.ts'
import { secondStepPage, takeSecondStep } from './pages/sign-in/second-step.ts'
import { setUp, setUpPage } from './pages/sign-in/set-up.ts'
import { signIn, signInPage } from './pages/sign-in/sign-in.ts'
import { passkeyPage as signInPasskeyPage, signInWithPasskey } from './pages/sign-in/sign-in-passkey.ts'
import { startPage } from './pages/start.ts'
import { changeSubmission, eraseSubmission, replyToSubmission, submissionPage } from './pages/submission.ts'
import { REPLY_PATH } from './pages/submission-replies.ts'
import { submissionsPage } from './pages/submissions.ts'
import { changeMember, invite, revokeInvitation, teamPage } from './pages/team.ts'
import { undoEmailChange, undoEmailChangePage } from './pages/undo-email-change.ts'
import { changeEndpoint, createEndpoint, deliveriesPage, replayDelivery, webhooksPage } from './pages/webhooks.ts'
import type { AccountRequestServices } from './request-services.ts'
import type { AccountResponse, AccountVisit, SignedInVisit } from './visit.ts'

export type Act<V> = (services: AccountRequestServices, visit: V) => Promise<AccountResponse>

/** A page for everybody, or for people who are signed in. */
export type AccountRoute = {
  name: string
  /** Whether the person must have proved who they are within the last 10 minutes. */
  needsRecentSignIn?: true
  /** What it does depends on the organisation that the person works in. */
  isOfOrganisation?: true
} & (
  | { isPublic: true; get?: Act<AccountVisit>; post?: Act<AccountVisit> }
  | { isPublic: false; get?: Act<SignedInVisit>; post?: Act<SignedInVisit> }
)

const open = (name: string, get: Act<AccountVisit> | undefined, post?: Act<AccountVisit>): AccountRoute => ({
  name,
  isPublic: true,
  ...(get && { get }),
  ...(post && { post }),
})

const signedIn = (name: string, get: Act<SignedInVisit> | undefined, post?: Act<SignedInVisit>): AccountRoute => ({
  name,
  isPublic: false,
  ...(get && { get }),
  ...(post && { post }),
})

const ofOrganisation = (...route: Parameters<typeof signedIn>): AccountRoute => ({
  ...signedIn(...route),
  isOfOrganisation: true,
})

const afterRecentSignIn = (...route: Parameters<typeof signedIn>): AccountRoute => ({
  ...signedIn(...route),
  needsRecentSignIn: true,
})

const ROUTES: Readonly<Record<string, AccountRoute>> = {
  [PATHS.start]: open('start', startPage),
  [PATHS.signIn]: open('sign_in', signInPage, signIn),
  [PATHS.signInPasskey]: open('sign_in_passkey', signInPasskeyPage, signInWithPasskey),
  [stepPath('address_step')]: open('address_step', addressStepPage),
  [stepPath('second_step')]: open('second_step', secondStepPage, takeSecondStep),
  [PATHS.setUp]: open('set_up', setUpPage, setUp),
  [PATHS.invitation]: open('invitation', invitationPage, acceptInvitation),
  [PATHS.resetPassword]: open('reset_password', resetPage, resetPassword),
  [PATHS.forgotPassword]: open('forgot_password', forgotPage, requestReset),
  [PATHS.changeEmail]: open('change_email', changeEmailPage, confirmEmailChange),
  [PATHS.undoEmailChange]: open('undo_email_change', undoEmailChangePage, undoEmailChange),
  [PATHS.confirmEmail]: open('confirm_email', confirmAddressPage, confirmAddress),
  [PATHS.signOut]: signedIn('sign_out', undefined, signOut),
  [PATHS.account]: signedIn('profile', accountPage, saveProfile),
  '/account/email': afterRecentSignIn('request_email_change', undefined, requestEmailChange),
  [PATHS.confirm]: signedIn('confirm', confirmPage, confirm),
  [PATHS.addTotp]: afterRecentSignIn('add_totp', totpPage, addTotp),
  [PATHS.addPasskey]: afterRecentSignIn('add_passkey', passkeyPage, addPasskey),
  [PATHS.removeFactor]: afterRecentSignIn('remove_factor', undefined, removeFactor),
  [PATHS.recoveryCodes]: afterRecentSignIn('recovery_codes', undefined, renewRecoveryCodes),
  '/account/password': signedIn('change_password', undefined, changePassword),
  '/account/sessions/end': signedIn('end_session', undefined, endSession),
  '/account/sessions/end-others': signedIn('end_other_sessions', undefined, endOtherSessions),
  '/account/organisations/switch': signedIn('switch_organisation', undefined, switchOrganisation),
  [PATHS.organisation]: ofOrganisation('organisation', organisationPage, saveOrganisation),
  '/account/organisation/delete': ofOrganisation('delete_organisation', undefined, deleteOrganisation),
  [PATHS.team]: ofOrganisation('team', teamPage),
  '/account/team/member': ofOrganisation('change_member', undefined, changeMember),
  '/account/team/invite': ofOrganisation('invite', undefined, invite),
  '/account/team/revoke': ofOrganisation('revoke_invitation', undefined, revokeInvitation),
  [PATHS.domains]: ofOrganisation('domains', domainsPage, connectDomain),
  [PATHS.domain]: ofOrganisation('domain', domainPage, checkDomain),
  '/account/domain/routes': ofOrganisation('add_route', undefined, addRoute),
  '/account/domain/route': ofOrganisation('change_route', undefined, changeRoute),
  '/account/domain/fallback': ofOrganisation('save_fallback', undefined, saveFallback),
  '/account/domain/disconnect': ofOrganisation('disconnect_domain', undefined, disconnectDomain),
  [PATHS.submissions]: ofOrganisation('submissions', submissionsPage),
  [PATHS.submission]: ofOrganisation('submission', submissionPage, changeSubmission),
  [REPLY_PATH]: ofOrganisation('reply_to_submission', undefined, replyToSubmission),
  '/account/submission/erase': ofOrganisation('erase_submission', undefined, eraseSubmission),
  [PATHS.keys]: ofOrganisation('api_keys', keysPage, createKey),
  [PATHS.webhooks]: ofOrganisation('webhooks', webhooksPage, createEndpoint),
  '/account/webhooks/change': ofOrganisation('change_webhook', undefined, changeEndpoint),
  [PATHS.deliveries]: ofOrganisation('deliveries', deliveriesPage),
  '/account/webhooks/replay': ofOrganisation('replay_delivery', undefined, replayDelivery),
  [PATHS.audit]: ofOrganisation('audit_log', auditLogPage),
  [PATHS.applications]: ofOrganisation('applications', applicationsPage, disconnectApplication),
  '/account/api-keys/change': ofOrganisation('change_api_key', undefined, changeKey),
}

/** Each request of an application has its own path, so that the cookie that belongs to it does, too. */
const CONSENT = ofOrganisation('consent', consentPage, decide)

/** The path names the code: signing in leads back to a path alone. */
const CODE = ofOrganisation('code', codePage, saveCode)

export const findRoute = (path: string): AccountRoute | undefined => {
  if (path.startsWith(`${PATHS.code}/`)) return CODE
  if (path.startsWith(`${PATHS.consent}/`)) return CONSENT
  return Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined
}
