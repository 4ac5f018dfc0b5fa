import { plainLatin } from './latin-letters.ts'

/** Leaves room for a numeric suffix within the 200 characters of a slug. */
const LENGTH_MAX = 190

/** Makes a URL slug of a name. Returns the fallback when the name has no Latin letter or digit. */
export function slugify(name: string, fallback: string): string {
  // Strip accents, and apostrophes too, so that "don't" stays one word.
  const bare = name.normalize('NFKD').replace(/[\p{M}'’]/gu, '')
  const words = plainLatin(bare.toLowerCase()).match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, LENGTH_MAX).replace(/-$/, '') ?? fallback
}

/**
 * Takes the slug, with a number appended if it is taken. `take` returns false when another writer was faster than our
 * `isTaken` lookup; then the search starts again. Doubling the number and then bisecting keeps the ten-thousandth
 * slug of one name from needing ten thousand lookups.
 */
export async function takeSlug(
  slug: string,
  isTaken: (slug: string) => Promise<boolean>,
  take: (slug: string) => Promise<boolean>,
): Promise<string> {
  const numbered = (n: number) => (n === 1 ? slug : `${slug}-${n}`)
  for (;;) {
    let free = 1
    while (await isTaken(numbered(free))) free *= 2
    for (let taken = Math.floor(free / 2); free - taken > 1; ) {
      const middle = Math.floor((free + taken) / 2)
      if (await isTaken(numbered(middle))) taken = middle
      else free = middle
    }
    if (await take(numbered(free))) return numbered(free)
  }
}

interface RowWithSlug {
  /** Throws if the slug is taken. */
  insert(slug: string): Promise<unknown>
  isTaken(slug: string): Promise<boolean>
  /** Returns false if the slug is taken. */
  insertUnlessTaken(slug: string): Promise<boolean>
}

/**
 * Inserts a row and returns its slug. A slug that was sent is used as it is or refused. One derived from the name gets a
 * number if it is taken.
 */
export async function insertWithSlug(sent: string | undefined, derived: string, row: RowWithSlug): Promise<string> {
  if (sent === undefined) return takeSlug(derived, row.isTaken, row.insertUnlessTaken)
  await row.insert(sent)
  return sent
}
