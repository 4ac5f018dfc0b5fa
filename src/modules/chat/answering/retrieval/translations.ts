import type { Language } from '../../../../platform/contract/languages.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { selectOutline } from '../../../knowledge/passages/index.ts'
import type { ScoredPassage } from './score.ts'

/**
 * Replaces the IDs of passages in other languages by that of the same part of the article in this one. Translations have the same parts in
 * the same order; if one has more or fewer passages, the part at the same share of the text is taken.
 */
export async function toTranslations(
  db: Db,
  orgId: OrgId,
  passages: readonly ScoredPassage[],
  language: Language,
): Promise<ScoredPassage[]> {
  const foreign = passages.filter((passage) => passage.language !== language)
  if (foreign.length === 0) return unique(passages)
  const languages = [...new Set([language, ...foreign.map((passage) => passage.language)])]
  const articleIds = [...new Set(foreign.map(({ article_id }) => article_id))]
  const outline = await selectOutline(db, orgId, articleIds, languages)
  const partsOf = (articleId: string, of: string) =>
    outline.filter((part) => part.article_id === articleId && part.language === of)
  return unique(
    passages.map((passage) => {
      const { id, article_id, position } = passage
      if (passage.language === language) return passage
      const [own, translated] = [partsOf(article_id, passage.language), partsOf(article_id, language)]
      const at = own.length > 1 ? Math.round((position * (translated.length - 1)) / (own.length - 1)) : 0
      return { ...passage, id: translated[at]?.id ?? id }
    }),
  )
}

/** Two passages may have the same translation. */
const unique = (passages: readonly ScoredPassage[]): ScoredPassage[] =>
  passages.filter(({ id }, at) => passages.findIndex((other) => other.id === id) === at)
