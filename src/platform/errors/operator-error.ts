/**
 * Something that whoever runs the service can put right: a setting, a file, another process. Printed as one
 * line that says what to do, without a stack.
 */
export class OperatorError extends Error {}
