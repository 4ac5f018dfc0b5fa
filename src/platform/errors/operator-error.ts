/**
 * A problem that the operator can fix: a setting, a file, another process. Printed as one line that says what to do,
 * without a stack trace.
 */
export class OperatorError extends Error {}
