/** Messages have a text, notes a content. Each is accepted for the other, too, but not documented. */
export const ALIAS = { 'x-internal': true }
export const hasOneSpelling = ({
  text,
  content,
}: {
  text?: string | undefined
  content?: string | undefined
}): boolean => text === undefined || content === undefined
export const twoSpellings = (alias: string, name: string) => ({
  path: [alias],
  error: `Must not be combined with ${name}`,
})
