/** The fields that a PATCH contains. Absent fields stay unchanged. */
export const sentFields = <Input extends object>(
  input: Input,
): { [Name in keyof Input]?: Exclude<Input[Name], undefined> } =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never
