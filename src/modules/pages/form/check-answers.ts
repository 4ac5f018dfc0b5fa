import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { AnsweredFile } from '../../assets/uploads/index.ts'
import { type Block, isFormField, textIn } from '../blocks/index.ts'
import type { Answers, AnswerValue, FieldProblem, SubmissionData } from './answers.ts'
import { checkField, type FieldBlock, Invalid, toStorable } from './check-field.ts'

/**
 * Limits `data` as JSON. An event with a submission has at most 256 KiB, and the rest of the submission takes up to 60 KiB of
 * it. The labels of a page take half of this at most.
 */
export const DATA_BYTES_MAX = 180 * 1024

/**
 * Checks what a visitor sent against the form of the page. Labels are in the language that the visitor saw.
 */
export function checkAnswers(
  blocks: readonly Block[],
  answers: Answers,
  files: ReadonlyMap<string, AnsweredFile>,
  language: ContentLanguage,
  defaultLanguage: ContentLanguage = language,
): { data: SubmissionData } | { problems: FieldProblem[] } {
  const data: SubmissionData = {}
  const problems: FieldProblem[] = []
  for (const block of blocks) {
    if (!isField(block)) continue
    const { name } = block.config
    try {
      const value = checkField(block, answers.get(name) ?? [], files)
      const label = block.type === 'form_hidden' ? name : textIn(block.config.label, language, defaultLanguage).text
      const chosen = labelsOf(block, value, language, defaultLanguage)
      data[block.id] = {
        ...{ type: block.type, name, label: toStorable(label), value },
        ...(chosen !== undefined && { value_label: chosen }),
        order: block.sort_order,
      }
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      problems.push({ name, ...error.problem })
    }
  }
  if (problems.length === 0 && bytesOf(data) > DATA_BYTES_MAX) problems.push(shorten(blocks, data))
  return problems.length > 0 ? { problems } : { data }
}

const isField = (block: Block): block is FieldBlock => isFormField(block.type)

/** What the visitor read at the chosen options, in the order of the values. Undefined if nothing was chosen. */
function labelsOf(
  block: FieldBlock,
  value: AnswerValue,
  language: ContentLanguage,
  defaultLanguage: ContentLanguage,
): string | string[] | undefined {
  if (!('options' in block.config) || value === null) return undefined
  const chosen = new Set([value].flat())
  const labels = block.config.options
    .filter((option) => chosen.has(option.value))
    .map(({ label }) => toStorable(textIn(label, language, defaultLanguage).text))
  return Array.isArray(value) ? labels : labels[0]
}

/** Reports the longest answer of a form that is too long as a whole. */
function shorten(blocks: readonly Block[], data: SubmissionData): FieldProblem {
  const fields = blocks.filter(isField).map((block) => ({ block, bytes: bytesOf(data[block.id]?.value ?? null) }))
  const longest = fields.reduce((one, other) => (other.bytes > one.bytes ? other : one))
  const excess = bytesOf(data) - DATA_BYTES_MAX
  const value: AnswerValue = data[longest.block.id]?.value ?? null
  const length = typeof value === 'string' ? [...value].length : 0
  return { name: longest.block.config.name, problem: 'too_long', limit: Math.max(0, length - excess) }
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
