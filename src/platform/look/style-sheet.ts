import { readFileSync } from 'node:fs'
import { type Html, html, raw } from '../text/html.ts'

/**
 * Reads style sheets that belong to a module, given its `import.meta.url`, as one compact text. Call it while the module is
 * loaded: a missing file then stops the start, not the first visitor.
 */
export const readStyle = (module: string, ...paths: readonly `${string}.css`[]): string =>
  paths.map((path) => compactCss(readFileSync(new URL(path, module), 'utf8'))).join('')

/** A style sheet as a part of the page. Nothing in it is escaped, so values of customers must be checked before. */
export const styleTag = (css: string): Html => html`<style>${raw(css)}</style>`

/**
 * Removes comments, optional white space, and quotes around attribute values that need none. Other strings stay as they are.
 * The space before a colon or parenthesis stays, because it separates selectors: `.prose :is(ul, ol)`.
 */
export const compactCss = (source: string): string =>
  source
    .replace(/("[^"]*")|(?:\s|\/\*.*?\*\/)+/gs, (_, string) => string ?? ' ')
    .replace(
      /(?<==)"([a-z]+)"(?=\])|("[^"]*")|;? ?(}) ?| ?([{;,>~/!]) ?|([:(]) | (?=\))|\b0(?=\.\d)/g,
      (_, value, string, end, sign, start) => value ?? string ?? end ?? sign ?? start ?? '',
    )
    .trim()
