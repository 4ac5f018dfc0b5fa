/** A full stop, question or exclamation mark, with what closes it. Scripts without spaces need none after it. */
const END = /[.!?…]+["'»”’)\]]*(?=\s+)|[。！？]+[」』）]*/gu
/** Abbreviations and numbers that end with a full stop in the middle of a sentence: "e.g. this", "z. B. so", "3. step". */
const NOT_AN_END =
  /(?:^|[\s(])(?:\p{L}|\d{1,3}|[ezu]\.\s?[gaBa]|approx|bzw|ca|etc|max|min|Nr|No|no|núm|vs|env|aprox|evtl|ggf|inkl)\.$/u

/** Divides a paragraph into sentences. */
export function toSentences(text: string): string[] {
  const sentences: string[] = []
  let from = 0
  for (const { 0: end, index } of text.matchAll(END)) {
    const to = index + end.length
    if (end === '.' && NOT_AN_END.test(text.slice(Math.max(0, to - 12), to))) continue
    sentences.push(text.slice(from, to).trim())
    from = to
  }
  sentences.push(text.slice(from).trim())
  return sentences.filter((sentence) => sentence !== '')
}
