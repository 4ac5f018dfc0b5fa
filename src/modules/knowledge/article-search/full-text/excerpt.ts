import { setImmediate as nextTurn } from 'node:timers/promises'
import { html } from '../../../../platform/text/html.ts'
import { type Token, tokenize } from './tokens.ts'

export interface Matcher {
  /** Returns the index of the searched word that a token matches. */
  match(token: Token): number | undefined
  /** Whether a searched word is a single character of a script without spaces. */
  readonly withSingles: boolean
}

interface Span {
  start: number
  end: number
  word: number
}

export interface Excerpt {
  /** Escaped HTML with matches in `<mark>`. */
  markup: string
  hasMatch: boolean
  /** The excerpt without its markup. */
  text: string
  /** The searched words in the excerpt. */
  words: ReadonlySet<number>
  /** Whether all tokens were compared. The best possible passage ends the search for a better one. */
  isReadToEnd: boolean
}

/** How many more tokens may be compared with the searched words. All texts of one request share it. */
export interface TokenAllowance {
  tokensLeft: number
}

const SPANS_MAX = 2000
/** Comparing this many takes a millisecond or two. Then other requests have a turn. */
const TOKENS_PER_TURN = 2000
/** Only longer words are cut in two. */
const BORDER_DISTANCE_MAX = 30

/** Returns the whole text with every match marked. */
export const markMatches = (text: string, matcher: Matcher): string =>
  write(text, 0, text.length, spansOf(text, matcher))

/** Returns about `length` characters around the passage that contains most of the words. */
export async function excerptOf(
  text: string,
  matcher: Matcher,
  wordCount: number,
  length: number,
  allowance: TokenAllowance,
): Promise<Excerpt> {
  const { spans, isReadToEnd } = await bestPassage(text, matcher, wordCount, length, allowance)
  const [first, last] = [spans[0], spans.at(-1)]
  if (first === undefined || last === undefined) {
    const end = borderBefore(text, length)
    return { markup: write(text, 0, end, []), text: text.slice(0, end), hasMatch: false, words: new Set(), isReadToEnd }
  }
  const around = Math.max(0, length - (last.end - first.start))
  const start = borderAfter(text, Math.max(0, Math.min(first.start - around / 2, text.length - length)))
  const from = Math.min(start, first.start)
  const to = borderBefore(text, Math.max(from + length, Math.min(last.end, from + 2 * length)))
  return {
    markup: write(text, from, to, spans),
    text: text.slice(from, to),
    hasMatch: true,
    words: new Set(spans.map(({ word }) => word)),
    isReadToEnd,
  }
}

function spansOf(text: string, matcher: Matcher): Span[] {
  const spans: Span[] = []
  for (const token of tokenize(text, matcher.withSingles)) {
    const word = matcher.match(token)
    if (word !== undefined) spans.push({ start: token.start, end: token.end, word })
    if (spans.length === SPANS_MAX) break
  }
  return spans
}

/** Returns the matches of the first passage of this length that has the most different words. */
async function bestPassage(
  text: string,
  matcher: Matcher,
  wordCount: number,
  length: number,
  allowance: TokenAllowance,
): Promise<{ spans: Span[]; isReadToEnd: boolean }> {
  let best: Span[] = []
  let bestWords = 0
  let passage: Span[] = []
  let seen = 0
  let isReadToEnd = true
  for (const token of tokenize(text, matcher.withSingles)) {
    const isBest = bestWords >= wordCount && token.start > (best[0]?.start ?? 0) + length
    if (--allowance.tokensLeft < 0 || isBest || seen === SPANS_MAX) {
      isReadToEnd = false
      break
    }
    if (allowance.tokensLeft % TOKENS_PER_TURN === 0) await nextTurn()
    const word = matcher.match(token)
    if (word === undefined) continue
    seen++
    const span = { start: token.start, end: token.end, word }
    passage = [...passage.filter(({ start }) => span.end - start <= length), span]
    const words = new Set(passage.map(({ word }) => word)).size
    if (words > bestWords || (words === bestWords && passage[0] === best[0])) {
      best = passage
      bestWords = words
    }
  }
  return { spans: best, isReadToEnd }
}

function borderAfter(text: string, near: number): number {
  const at = Math.floor(near)
  if (at === 0) return 0
  const space = text.slice(at, at + BORDER_DISTANCE_MAX).search(/\s/)
  return space === -1 ? wholeCharacter(text, at) : at + space + 1
}

function borderBefore(text: string, near: number): number {
  const at = Math.floor(near)
  if (at >= text.length) return text.length
  const space = text.slice(Math.max(0, at - BORDER_DISTANCE_MAX), at + 1).search(/\s\S*$/)
  return space === -1 ? wholeCharacter(text, at) : Math.max(0, at - BORDER_DISTANCE_MAX) + space
}

/** Moves a cut that would split a surrogate pair. */
const wholeCharacter = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)

function write(text: string, from: number, to: number, spans: readonly Span[]): string {
  const parts = [from > 0 && '…']
  const markup: string[] = []
  let at = from
  const plain = (until: number) => {
    markup.push(html`${text.slice(at, until).replace(/\s+/g, ' ')}`.toString())
    at = until
  }
  for (const [start, end] of merge(spans)) {
    if (end <= from || start >= to) continue
    plain(Math.max(start, at))
    markup.push('<mark>')
    plain(Math.min(end, to))
    markup.push('</mark>')
  }
  plain(Math.max(to, at))
  return [...parts, markup.join('').trim(), to < text.length && '…'].filter(Boolean).join('')
}

/** Joins overlapping and adjacent spans: pairs of characters overlap. */
function merge(spans: readonly Span[]): [start: number, end: number][] {
  const merged: [number, number][] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}
