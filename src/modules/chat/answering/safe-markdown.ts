const IMAGE = /!\[([^\]\n]*)\]\([^)\n]*\)/g
const LINK = /\[([^[\]\n]*)\]\(<?([^)\s>]*)>?(?:[ \t]+[^)\n]*)?\)/g
const ABSOLUTE = /^(?:https?:\/\/|mailto:|tel:)/i
const HTML_TAG = /<\/?[a-z][^<>]*>|<!--[\s\S]*?-->/gi

/**
 * Reduces the Markdown of a passage to what answers may contain. Images become their description, and links without a
 * host become text: they are relative to the article, not to the place where the answer is shown.
 */
export const toSafeMarkdown = (markdown: string): string =>
  markdown
    .replace(IMAGE, '$1')
    .replace(LINK, (all, text: string, address: string) => (ABSOLUTE.test(address) ? all : text))
    .replace(HTML_TAG, '')
    .trim()

/** Escapes text, so that it is shown as it is. */
export const toMarkdownText = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>()#|~!]/g, '\\$&').replace(/\s+/g, ' ')
