import type { PasswordProblem } from '../../../../platform/passwords/index.ts'
import type { RoleName } from '../../roles/index.ts'
import type { AREAS } from '../../scopes/index.ts'

/** The texts of the account pages. `{…}` is replaced. */
export interface Texts {
  skipToContent: string
  signOut: string
  save: string
  email: string
  password: string
  newPassword: string
  passwordHelp: string
  firstName: string
  lastName: string
  passwordProblems: Record<PasswordProblem, string>
  invalidEmail: string
  emailTaken: string
  resetUsed: string
  start: { title: string; text: string; signIn: string; account: string; docs: string }
  signIn: { title: string; submit: string; refused: string; tooSoon: string }
  factors: {
    title: string
    about: string
    totp: string
    passkey: string
    added: string
    remove: string
    codesLeft: string
    addTotp: string
    addPasskey: string
    newCodes: string
    codes: string
    codesText: string
    stored: string
    totpSteps: string
    qrCode: string
    seed: string
    sixDigits: string
    wrongCode: string
    expired: string
    passkeyText: string
    passkeyName: string
    passkeyNameHelp: string
    passkeyFailed: string
    tooManyPasskeys: string
    unsupported: string
    signInWithPasskey: string
    withPassword: string
    usePasskey: string
    secondStep: string
    code: string
    codeHelp: string
    goOn: string
    confirm: string
    confirmText: string
    confirmRefused: string
  }
  setUp: { title: string; text: string; submit: string; used: string }
  invitation: {
    title: string
    text: string
    newPerson: string
    accept: string
    decline: string
    declined: string
    used: string
    otherPerson: string
    asYou: string
  }
  consent: {
    title: string
    wants: string
    unverified: string
    organisation: string
    change: string
    mayManage: string
    mayView: string
    mayNot: string
    later: string
    allow: string
    deny: string
    invalidRequest: { title: string; text: string }
    applications: string
    about: string
    none: string
    details: string
    since: string
    disconnect: string
    areas: Record<(typeof AREAS)[number], string>
  }
  account: {
    title: string
    profile: string
    sessions: string
    thisSession: string
    lastUsed: string
    endSession: string
    endOthers: string
    organisations: string
    switchTo: string
    current: string
    noOrganisation: string
    saved: string
    unknownDevice: string
    currentPassword: string
    changePassword: string
    wrongPassword: string
  }
  organisation: {
    title: string
    name: string
    slug: string
    slugHelp: string
    language: string
    timeZone: string
    logo: string
    website: string
    websiteHelp: string
    deletion: { title: string; text: string; confirm: string; submit: string; scheduled: string; keep: string }
  }
  team: {
    title: string
    members: string
    aboutRoles: string
    changeRole: string
    remove: string
    invitations: string
    noInvitations: string
    revoke: string
    invite: string
    role: string
    sendInvitation: string
    invitationLink: string
    expires: string
  }
  mail: {
    noMail: string
    forgot: string
    forgotText: string
    sendLink: string
    forgotSent: string
    askForReset: string
    changeEmail: string
    newEmail: string
    changeHelp: string
    changeSent: string
    askForChange: string
    confirmTitle: string
    confirmText: string
    confirm: string
    confirmed: string
    taken: string
    tooMany: string
    invitationSent: string
  }
  roles: Record<RoleName, string>
  /** What each role may do. */
  roleDescriptions: Record<RoleName, string>
  keys: {
    title: string
    about: string
    none: string
    create: string
    name: string
    expires: string
    shownOnce: string
    lastUsed: string
    never: string
    pause: string
    resume: string
    revoke: string
    may: string
    mayHelp: string
    everything: string
    view: string
    manage: string
    areas: Record<(typeof AREAS)[number], string>
    validFor: string
    periods: Record<'never' | 'days30' | 'days90' | 'year', string>
    states: Record<'active' | 'paused' | 'revoked' | 'expired', string>
  }
  submissions: {
    title: string
    about: string
    none: string
    all: string
    number: string
    older: string
    answers: string
    file: string
    scanned: Record<'qr_code' | 'object' | 'product', string>
    status: string
    statuses: Record<'new' | 'read' | 'in_progress' | 'resolved' | 'spam', string>
    priority: string
    priorities: Record<'none' | 'low' | 'medium' | 'high', string>
    flagged: string
    assignee: string
    nobody: string
    notes: string
    save: string
    saved: string
    erase: string
    eraseText: string
    eraseConfirm: string
  }
  domains: {
    title: string
    about: string
    none: string
    connect: string
    name: string
    nameHelp: string
    notAccepted: string
    taken: string
    states: Record<'waiting' | 'verified' | 'warned' | 'lost', string>
    next: Record<'waiting' | 'verified' | 'warned' | 'lost', string>
    timeLeft: string
    checksItself: string
    records: string
    reasons: Record<'ownership' | 'pointing', string>
    record: string
    recordName: string
    recordNameHelp: string
    value: string
    noRecord: string
    found: string
    nothing: string
    correct: string
    wrong: string
    copy: string
    copyText: string
    copied: string
    check: string
    results: Record<'correct' | 'wrong' | 'error', string>
    tooSoon: string
    lastChecked: string
    neverChecked: string
    routes: {
      title: string
      about: string
      none: string
      add: string
      slug: string
      slugHelp: string
      target: string
      noTargets: string
      start: string
      makeStart: string
      endStart: string
      remove: string
      taken: string
      notAccepted: string
    }
    fallback: { title: string; url: string; help: string; notAccepted: string }
    disconnect: string
    disconnectText: string
    disconnectConfirm: string
  }
  webhooks: {
    title: string
    about: string
    none: string
    active: string
    paused: string
    pause: string
    resume: string
    rotate: string
    delete: string
    create: string
    url: string
    events: string
    shownOnce: string
    deliveries: string
    noDeliveries: string
    attempts: string
    replay: string
    statuses: Record<'pending' | 'delivered' | 'failed' | 'held', string>
  }
  audit: { title: string; about: string; none: string; older: string; details: string; omitted: string }
  invalid: string
  notAllowed: { title: string; text: string }
  notFound: { title: string; text: string }
  expired: { title: string; text: string }
  unavailable: { title: string; text: string }
}
