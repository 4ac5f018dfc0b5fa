import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Every file that inserts text into a page without escaping it, how often, and why that is safe. */
const ALLOWED: Record<string, { calls: number; because: string }> = {
  'api/docs/pages.ts': { calls: 1, because: 'Guides are our own files, rendered and sanitised by platform/markdown.' },
  'api/docs/reference/viewer-page.ts': {
    calls: 1,
    because: 'The script is our own constant, and its hash is in the policy.',
  },
  'api/docs/render-guide.ts': {
    calls: 1,
    because: 'Descriptions are our own texts, rendered and sanitised by platform/markdown.',
  },
  'modules/account/account-pages/pages/factors.ts': {
    calls: 1,
    because: 'The image is an SVG that we draw. Its label is escaped there.',
  },
  'modules/chat/public-chat/messages/rendered-messages.ts': {
    calls: 1,
    because: 'Answers are Markdown, sanitised by platform/markdown.',
  },
  'modules/chat/public-chat/pages/chat.ts': { calls: 1, because: 'Messages were rendered with html`…` and cached.' },
  'modules/knowledge/help-centre/pages/article.ts': {
    calls: 1,
    because: 'Articles are Markdown, sanitised by platform/markdown.',
  },
  'modules/knowledge/help-centre/pages/head.ts': {
    calls: 1,
    because: 'The JSON has no character that means something in HTML.',
  },
  'modules/knowledge/help-centre/pages/search.ts': {
    calls: 2,
    because: 'The search escapes titles and snippets before it marks words in them.',
  },
  'modules/pages/public-pages/blocks/content.ts': {
    calls: 1,
    because: 'Texts are Markdown, sanitised by platform/markdown. Placeholders in them are filled with escaped values.',
  },
  'modules/pages/public-pages/blocks/form.ts': {
    calls: 1,
    because: 'The function escapes the JSON for its single quotes.',
  },
  'platform/look/style-sheet.ts': {
    calls: 1,
    because: 'Styles are our own files. The contract allows only well-formed colours and gradients of customers.',
  },
}

const SRC = join(import.meta.dirname, '..')
const IMPORT = /import \{[^}]*\braw\b[^}]*\} from '[^']*\/html\.ts'/
/** Finds calls, and the function where it is passed on, as in `map(raw)`. */
const CALL = /(?<![\w.])raw[()]/g

test('every call of raw is listed here with its reason', () => {
  const found = globSync('**/*.ts', { cwd: SRC, exclude: ['**/*.test.ts'] }).flatMap((path) => {
    const source = readFileSync(join(SRC, path), 'utf8')
    return IMPORT.test(source) ? [[path, [...source.matchAll(CALL)].length] as const] : []
  })
  const allowed = Object.entries(ALLOWED).map(([path, { calls }]) => [path, calls])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(allowed))
})
