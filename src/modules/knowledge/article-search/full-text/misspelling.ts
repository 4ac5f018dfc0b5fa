/** Words that differ by one edit share what is left when each loses at most one letter; by two edits, two letters. */
const PREFIX_LENGTH = 6
const ONE_EDIT_LENGTH = 5
const TWO_EDITS_LENGTH = 9
const ONLY_LETTERS = /^\p{L}+$/u

/** How many mistakes somebody may make in a word of this length. Short words are each other's misspellings. */
const editsIn = (length: number): number => (length >= TWO_EDITS_LENGTH ? 2 : length >= ONE_EDIT_LENGTH ? 1 : 0)

/** Under which keys a word is found by those who misspell it. A number or a code is right, or it is another one. */
export function keysOfWord(word: string): string[] {
  const letters = [...word]
  if (letters.length < ONE_EDIT_LENGTH - 1 || !ONLY_LETTERS.test(word)) return []
  return [...deletions(letters, Math.max(1, editsIn(letters.length)))]
}

/** Under which keys the words may be found that somebody meant, when they made so many mistakes. */
export function keysOfMisspelling(word: string, edits: 1 | 2): string[] {
  const letters = [...word]
  const shortest = (edits === 1 ? ONE_EDIT_LENGTH : TWO_EDITS_LENGTH) - edits
  return letters.length < shortest || !ONLY_LETTERS.test(word) ? [] : [...deletions(letters, edits)]
}

/** The number of edits between the two, when it may pass for a misspelling; else undefined. */
export function editsBetween(misspelt: string, meant: string): number | undefined {
  const [a, b] = [[...misspelt], [...meant]]
  const allowed = Math.max(editsIn(b.length), Math.min(1, editsIn(a.length)))
  if (allowed === 0 || Math.abs(a.length - b.length) > allowed) return undefined
  const edits = distance(a, b)
  return edits <= allowed ? edits : undefined
}

/** The first letters of the word, and what is left of them without any one, or any two. */
function deletions(letters: readonly string[], count: number): Set<string> {
  const all = new Set([letters.slice(0, PREFIX_LENGTH).join('')])
  let before = [...all]
  for (let round = 0; round < count; round++) {
    const shorter = before.flatMap((text) =>
      Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1)).filter((rest) => rest.isWellFormed()),
    )
    for (const text of shorter) all.add(text)
    before = shorter
  }
  return all
}

/** Letters put in, left out, changed, or swapped with their neighbour. */
function distance(a: readonly string[], b: readonly string[]): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap && row > 1 && column > 1 ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
