import type { Tool } from '../tool.ts'
import { isMdx } from './program.ts'

/** A file, and what it was written for if that is known. */
export interface Source {
  path: string
  tool: Tool | undefined
}

/** What a text may contain beyond Markdown. Texts of unknown tools may contain all that is hardly mistaken for a sentence. */
export interface Dialect {
  /** Components and programs in braces. */
  isMdx: boolean
  /** `{{ name }}` */
  hasVariables: boolean
  /** `:name[label]` and `::name` */
  hasDirectives: boolean
  /** `/// note` and `++ctrl++` */
  hasPyMdown: boolean
  /** Also what is easily mistaken for a sentence, such as `==marked==`. */
  isMkDocs: boolean
  /** Whether directives in code have a meaning, too, so that `{% raw %}` is found there. */
  hasTagsInCode: boolean
}

export function dialectOf({ path, tool }: Source, text: string): Dialect {
  const areProgramsInAll = tool === 'docusaurus' || tool === 'mintlify'
  const hasPrograms = areProgramsInAll || isMdx(path, text)
  return {
    isMdx: hasPrograms,
    hasVariables: tool !== 'hugo',
    hasDirectives: tool === undefined || tool === 'docusaurus',
    hasPyMdown: !hasPrograms && (tool === undefined || tool === 'mkdocs'),
    isMkDocs: !hasPrograms && tool === 'mkdocs',
    hasTagsInCode: tool === 'jekyll' || tool === 'mkdocs',
  }
}
