import type { OrgId } from '../../../platform/ids/index.ts'

export const ACME = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11' as OrgId
export const GLOBEX = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e12' as OrgId

export const THEN = '2026-06-09T22:50:58.806+00:00'
export const ON_THE_SECOND = '2026-06-09T22:50:58.000+00:00'

export const TEXTS = [
  '🏭👩‍🔧 emoji',
  'شركة أكمي عربية',
  '\u2028 \u2029 \r\n \t "quotes" \\n {"a":[1]}',
  "it's; drop table",
  '',
]

export type AwkwardRow = Record<string, unknown>
export type Insert = (table: string, rows: AwkwardRow[]) => Promise<void>

export const slugOf = (letter: string): string => letter.repeat(12)
export const addressed = (letter: string, status: string) => ({ slug: letter, public_slug: slugOf(letter), status })
