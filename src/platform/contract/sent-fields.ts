/** The fields of a PATCH that were sent: what is absent changes nothing. */
export const sentFields = <Input extends object>(
  input: Input,
): { [Name in keyof Input]?: Exclude<Input[Name], undefined> } =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never
