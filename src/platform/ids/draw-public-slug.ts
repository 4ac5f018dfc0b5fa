import { PUBLIC_SLUG_LENGTH } from '../contract/field.ts'
import { randomBase62 } from './index.ts'

/** Draws a public slug that was never issued. `claim` keeps it, and returns false if it was issued before. */
export async function drawPublicSlug(claim: (publicSlug: string) => Promise<boolean>): Promise<string> {
  for (;;) {
    const publicSlug = randomBase62(PUBLIC_SLUG_LENGTH)
    if (await claim(publicSlug)) return publicSlug
  }
}
