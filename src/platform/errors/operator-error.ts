/**
 * A problem that the operator can fix: a setting, a file, another process. Printed as one line that says what to do,
 * without a stack trace.
 */
export class OperatorError extends Error {}

/**
 * The database cannot be used as it is, and to start again would not help: a person has to do something. The process ends
 * with `UNUSABLE_EXIT_CODE`, after which systemd does not start it again.
 */
export class UnusableDatabase extends OperatorError {}

/** `EX_CONFIG`. The unit in `deploy/` names it, too. */
export const UNUSABLE_EXIT_CODE = 78
