/**
 * Makes wide tables and code blocks scroll horizontally, and focusable so that keyboard users can scroll them. Replacing
 * by pattern is safe because in sanitised HTML a `<` always starts a tag.
 */
export const makeScrollable = (safe: string): string =>
  safe
    .replace(/<pre(?=[ >])/g, '<pre tabindex="0"')
    .replace(/<table(?=[ >])/g, '<div class="scroll" tabindex="0">$&')
    .replaceAll('</table>', '</table></div>')
