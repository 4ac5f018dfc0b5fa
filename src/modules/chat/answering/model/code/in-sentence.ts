import { findInline, type VerbatimPart } from '../../../../../platform/markdown/verbatim/find-verbatim.ts'
import { cover, shield, unshield } from '../../../../../platform/markdown/verbatim/shield.ts'
import { isPlaceholder } from '../harmless-markdown.ts'
import type { KnownCode } from './known-code.ts'

const IN_BRACKETS = /<[^<>]{1,400}>/g
const DELIMITERS = /^`+|`+$/g
/** What is left of them after `shieldCode` ends no code. A character after a backslash is escaped, or shielded. */
const STRAY = /\\(?=[\ufdd0-\ufdef])|\\[\s\S]|`/g

/**
 * Shields code within a sentence. What a passage has stays as it is. Of other code only the placeholders do: it may contain
 * addresses and marks, which are checked as in any sentence.
 */
export const shieldCode = (sentence: string, known: KnownCode): string =>
  shield(sentence, {
    find: findInline,
    toShielded: (text: string, { kind }: VerbatimPart) => {
      if (known.has(text)) return cover(text)
      if (kind === 'formula') return text
      const checked = text.replaceAll(IN_BRACKETS, (found) => (isPlaceholder(found) ? cover(found) : found))
      return checked.replaceAll(DELIMITERS, cover)
    },
  })

/** Brings the code back. No other backtick may begin or end code, or it could turn this code into text, and text into code. */
export const unshieldCode = (sentence: string): string =>
  unshield(sentence.replaceAll(STRAY, (found) => (found === '`' ? '\\`' : found === '\\' ? '' : found)))
