/** Joins texts to few that have at most this many characters each: one request then tests several of them. */
export function packTexts(texts: readonly string[], lengthMax: number): string[] {
  const packed: string[] = []
  for (const text of texts) {
    const joined = `${packed.at(-1) ?? ''} ${text}`
    if (packed.length > 0 && joined.length <= lengthMax) packed[packed.length - 1] = joined
    else packed.push(text)
  }
  return packed
}
