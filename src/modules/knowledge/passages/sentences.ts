import { findInline } from '../../../platform/markdown/verbatim/find-verbatim.ts'
import { shield, unshield } from '../../../platform/markdown/verbatim/shield.ts'

/** A full stop, question or exclamation mark, with what closes it. Scripts without spaces need none after it. */
const END = /[.!?…]+["'»”’)\]]*(?=\s+)|[。！？]+[」』）]*/gu
/** What ends with a full stop in the middle of a sentence: "e.g. this", "z. B. so", and "3. step". */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|[ezu]\.\s?[gaBa]|approx|bzw|ca|etc|max|min|Nr|No|no|núm|vs|env|aprox|evtl|ggf|inkl)\.$/u
const NUMBER = /(?:^|[\s(])\d{1,3}\.$/
/** Longer than all of them. */
const INSIDE_LENGTH = 12

export const endsWithAbbreviation = (text: string): boolean => ABBREVIATION.test(text.slice(-INSIDE_LENGTH))

/** Divides a paragraph into sentences, but never its code. */
export function toSentences(paragraph: string): string[] {
  const text = shield(paragraph, { find: findInline })
  const sentences: string[] = []
  let from = 0
  for (const { 0: end, index } of text.matchAll(END)) {
    const to = index + end.length
    const before = text.slice(Math.max(0, to - INSIDE_LENGTH), to)
    if (end === '.' && (endsWithAbbreviation(before) || NUMBER.test(before))) continue
    sentences.push(text.slice(from, to).trim())
    from = to
  }
  sentences.push(text.slice(from).trim())
  return sentences.filter((sentence) => sentence !== '').map(unshield)
}
