import { createRenderer } from '../../../../platform/markdown/renderer.ts'
import { hasSteps, type NewPassage, splitIntoPassages } from '../../passages/index.ts'
import { isFunctionWord, stem } from '../full-text/languages/index.ts'
import { tokenize } from '../full-text/tokens.ts'
import type { Terms } from '../terms.ts'
import type { SearchableText } from './analyse.ts'

/** What the index stores of a passage. */
export type AnalysedPassage = Omit<NewPassage, 'article_id' | 'version_number' | 'terms'> & { terms: string[] }

const { toPlain } = createRenderer()

/**
 * Divides a text into passages and returns what the index stores of them. Each passage has the words of the title and of
 * its headings, too: they say what it is about.
 */
export function analysePassages(text: SearchableText, of: Terms, stems: Map<string, string>): AnalysedPassage[] {
  const { language } = text
  const toWords = (part: string): string[] => {
    const words: string[] = []
    for (const token of tokenize(part, true)) {
      if (isFunctionWord(token.text, language)) continue
      const stemmed = token.isGram ? token.text : (stems.get(token.text) ?? stem(token.text, language))
      if (!token.isGram) stems.set(token.text, stemmed)
      words.push(stemmed)
    }
    return words
  }
  const titleWords = toWords(text.title)
  return splitIntoPassages(text.content).map((passage, position) => {
    const plain = toPlain(passage.markdown)
    const headings = passage.headings.map(toPlain)
    const headingWords = toWords(headings.join(' '))
    const words = toWords(plain)
    const lead = new Set([...titleWords, ...headingWords])
    const all = new Set([...lead, ...words])
    return {
      language,
      position,
      has_steps: hasSteps(passage.markdown),
      title_words: titleWords.join(' '),
      heading_words: headingWords.join(' '),
      words: words.join(' '),
      headings: JSON.stringify(headings),
      markdown: passage.markdown,
      plain,
      terms: [
        ...Array.from(all, (word) => of.anyForm(language, word)),
        ...Array.from(lead, (word) => of.inTitle(language, word)),
      ],
    }
  })
}
