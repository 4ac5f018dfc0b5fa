import { serve } from '../../../../platform/bounded/serve.ts'
import { diffText, type TextDiff } from './diff-text.ts'

export interface DiffTask {
  before: string
  after: string
}

export interface Comparison extends TextDiff {
  /** Whether rows were cut off. */
  is_truncated: boolean
}

/** More rows than anyone reads, and more than most texts have. */
const ROWS_MAX = 20_000

serve(({ before, after }: DiffTask): Comparison => {
  const { rows, ...counts } = diffText(before, after)
  return { ...counts, is_truncated: rows.length > ROWS_MAX, rows: rows.slice(0, ROWS_MAX) }
})
