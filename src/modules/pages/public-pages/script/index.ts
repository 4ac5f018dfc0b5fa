import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Language } from '../../../../platform/contract/languages.ts'
import type { PageResponse } from '../../../../platform/pages/index.ts'
import { PROOF_SCRIPT } from '../../../../platform/rate-limit/proof-of-work.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { TEXTS } from '../texts.ts'

const read = (name: string): string => readFileSync(new URL(`./browser/${name}.js`, import.meta.url), 'utf8')

/**
 * The script of pages with a form. Without it, the form is an ordinary one. It finds these parts in a page:
 *
 * | In the page | For |
 * |---|---|
 * | `<form data-wm-send="…">` | the value of `scriptData` |
 * | `<div data-wm-field="NAME">` around each field | label, inputs and problems of the field with this name |
 * | `<div data-wm-says>` in a field | one element for each problem that it can have, `<p data-problem="CODE">`. The one with the class `on` is shown |
 * | `<div data-wm-message role="alert">` in the form | the summary of problems. Empty if there are none. Like the status, it has the language of our own words if it is not that of the page |
 * | `<p data-wm-status role="status">` below the button | what the script is doing. Empty |
 * | `<input type="file" data-wm-files="10" data-wm-files-max="3">` | files of at most 10 MB, at most 3 |
 * | `<ul data-wm-received>` in a field with files | the files that we have. An item has an input named `_wm_file:NAME` |
 *
 * The policy of the page must allow `connect-src 'self'`, and `blob:` for previews. A script that finds a page of another
 * release must fail at its first lines, which leaves the form as it is: rename `data-wm-send` if they would not fit.
 */
const SCRIPT = compact(PROOF_SCRIPT + read('files') + read('form'))

/** Removes comments, indentation, and spaces around operators outside of texts. The script is a fifth shorter. */
function compact(source: string): string {
  const lines = source.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '' && !/^(\/\/|\/?\*)/.test(line))
    .join('\n')
    .replace(/('[^'\n]*'|`[^`]*`)| *([=+\-*?:,{}()<>|&^!;[\]]+) */g, (_, text, operator) => text ?? operator)
}

/** No public slug has a dot. */
export const SCRIPT_PATH = '/p/form.js'

/** Changes with the script, so that browsers may cache it. */
export const SCRIPT_URL = `${SCRIPT_PATH}?v=${hash('sha256', SCRIPT, 'base64url').slice(0, 12)}`

export const SCRIPT_RESPONSE = {
  status: 200,
  body: SCRIPT,
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  },
} satisfies PageResponse

/** What the script needs to know about the form, as JSON. */
export function scriptData({ publicSlug, proofOfWork, blocks }: PublicPage, language: Language): string {
  const { form, script } = TEXTS[language]
  const { invalid, failed, problems } = form
  const { files, ...others } = script
  const hasFiles = blocks.some(({ type }) => type === 'form_media')
  return JSON.stringify({
    url: `/p/${publicSlug}`,
    isProofNeeded: proofOfWork === 'always',
    texts: { ...others, invalid, failed, files: hasFiles ? { ...files, tooLarge: problems.file_too_large } : {} },
  })
}
