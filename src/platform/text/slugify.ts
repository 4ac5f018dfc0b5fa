import { plainLatin } from './latin-letters.ts'

/** Room for a number behind it, within the 200 characters that a slug may have. */
const LENGTH_MAX = 190

/** The part of an address that says what a name says. A name in another script leaves nothing: it gets the fallback. */
export function slugify(name: string, fallback: string): string {
  // Letters lose their accents, and a word is not torn apart where it is shortened: don't.
  const bare = name.normalize('NFKD').replace(/[\p{M}'’]/gu, '')
  const words = plainLatin(bare.toLowerCase()).match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, LENGTH_MAX).replace(/-$/, '') ?? fallback
}

/**
 * Takes the slug, with a number behind it where it is taken. `take` decides, and says whether it was in time: what
 * `isTaken` answered may be out of date by then. Looking ahead in steps that double keeps the ten-thousandth of one
 * name from asking ten thousand times.
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
