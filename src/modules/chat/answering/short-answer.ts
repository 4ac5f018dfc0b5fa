import { isNumbered, toBlocks, toSentences } from '../../knowledge/passages/index.ts'
import type { Passage, Retrieved } from './retrieval/retrieve.ts'
import { toSafeMarkdown } from './safe-markdown.ts'

const SENTENCES_MAX = 3
/** A sentence that says this share of what the best one says belongs to the answer. */
const SHARE_MIN = 0.5

type Unit = { kind: 'whole' | 'sentence'; text: string; weight: number; block: number; isCode: boolean }

/**
 * Returns the part of a passage that answers the question: the whole list or table with the sentence above it, or the
 * best sentences in their order.
 */
export function toShortAnswer({ markdown, language }: Passage, weigh: Retrieved['weigh']): string {
  const units = toUnits(markdown, (text) => weigh(text, language))
  const best = units.reduce<Unit | undefined>((top, unit) => (unit.weight > (top?.weight ?? 0) ? unit : top), undefined)
  const steps = units.find(({ kind, text }) => kind === 'whole' && isNumbered(text))
  // A question about the title or a heading is one about the steps under it.
  const chosen = best ?? steps ?? units[0]
  if (chosen === undefined) return ''
  // Code alone does not say what it is for.
  const introduces = ({ block, kind, text }: Unit) =>
    block === chosen.block - 1 && (/[:：]$/.test(text) || (chosen.isCode && kind === 'sentence'))
  if (chosen.kind === 'whole') {
    const introduction = units.findLast(introduces)
    return toSafeMarkdown([introduction?.text, chosen.text].filter((text) => text !== undefined).join('\n\n'))
  }
  const following = units.find(({ kind, block }) => kind === 'whole' && block === chosen.block + 1)
  if (following !== undefined && /[:：]$/.test(units.findLast(({ block }) => block === chosen.block)?.text ?? '')) {
    return toSafeMarkdown(`${chosen.text}\n\n${following.text}`)
  }
  const at = units.indexOf(chosen)
  const around = units
    .slice(Math.max(0, at - SENTENCES_MAX + 1), at + SENTENCES_MAX)
    .filter((unit) => unit.kind === 'sentence' && (unit === chosen || unit.weight >= SHARE_MIN * chosen.weight))
  // A short passage is clearer as a whole than with a sentence cut out.
  const sentences = units.length <= SENTENCES_MAX && units.every(({ kind }) => kind === 'sentence') ? units : around
  const from = Math.max(0, sentences.indexOf(chosen) - SENTENCES_MAX + 1)
  return toSafeMarkdown(
    sentences
      .slice(from, from + SENTENCES_MAX)
      .map(({ text }) => text)
      .join(' '),
  )
}

function toUnits(markdown: string, weigh: (text: string) => number): Unit[] {
  return toBlocks(markdown).flatMap((block, at): Unit[] => {
    if (block.kind === 'heading') return []
    if (block.kind !== 'paragraph') {
      const text = block.lines.join('\n').trimEnd()
      return [{ kind: 'whole', text, weight: weigh(text), block: at, isCode: block.kind === 'code' }]
    }
    return toSentences(block.lines.map((line) => line.trim()).join(' ')).map((text) => ({
      kind: 'sentence',
      text,
      weight: weigh(text),
      block: at,
      isCode: false,
    }))
  })
}
