const EDITS_MAX = 2

/** Returns the word that the writer probably meant, if one is within two edits. Ignores case, `_` and `-`. */
export function nearest(written: string, words: Iterable<string>): string | undefined {
  const wanted = plain(written)
  // With two edits, any word of two letters becomes any other.
  let fewest = Math.min(EDITS_MAX, wanted.length - 2) + 1
  let found: string | undefined
  for (const word of words) {
    const candidate = plain(word)
    if (Math.abs(candidate.length - wanted.length) >= fewest) continue
    const edits = countEdits(wanted, candidate)
    if (edits < fewest) [fewest, found] = [edits, word]
  }
  return found
}

const plain = (word: string): string => word.toLowerCase().replace(/[_-]/g, '')

/** Letters inserted, removed or replaced. The caller compares lengths first, so a long text is never compared. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}
