/**
 * Finds misspellings by deletion keys: two words that are one edit apart share a key when at most one letter of each is
 * deleted; two edits apart, two letters. Only the first letters of a word make keys.
 */
const PREFIX_LENGTH = 6
const ONE_EDIT_LENGTH = 5
const TWO_EDITS_LENGTH = 7
const ONLY_LETTERS = /^\p{L}+$/u

/** The number of edits allowed in a word of this length. With fewer letters, most words are one edit apart. */
const editsIn = (length: number): number => (length >= TWO_EDITS_LENGTH ? 2 : length >= ONE_EDIT_LENGTH ? 1 : 0)

/** Returns the keys under which a word is stored. None for numbers and codes: a changed one is a different one. */
export function keysOfWord(word: string): string[] {
  const letters = [...word]
  if (letters.length < ONE_EDIT_LENGTH - 1 || !ONLY_LETTERS.test(word)) return []
  return [...deletions(letters, Math.max(1, editsIn(letters.length)))]
}

/** Returns the keys of words that a misspelling with this many edits may stand for. */
export function keysOfMisspelling(word: string, edits: 1 | 2): string[] {
  const letters = [...word]
  const shortest = (edits === 1 ? ONE_EDIT_LENGTH : TWO_EDITS_LENGTH) - edits
  return letters.length < shortest || !ONLY_LETTERS.test(word) ? [] : [...deletions(letters, edits)]
}

/** Returns the number of edits between the two words; undefined if there are too many for a misspelling. */
export function editsBetween(misspelt: string, meant: string): number | undefined {
  const [a, b] = [[...misspelt], [...meant]]
  const allowed = Math.max(editsIn(b.length), Math.min(1, editsIn(a.length)))
  if (allowed === 0 || Math.abs(a.length - b.length) > allowed) return undefined
  const edits = distance(a, b)
  return edits <= allowed ? edits : undefined
}

/** Returns the first letters of the word, and all variants of them with up to `count` letters deleted. */
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

/** The edit distance: letters inserted, deleted, replaced, or swapped with their neighbour. */
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
