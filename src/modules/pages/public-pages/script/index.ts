import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Language } from '../../../../platform/contract/languages.ts'
import type { PageResponse } from '../../../../platform/pages/index.ts'
import { PROOF_SCRIPT } from '../../../../platform/rate-limit/proof-of-work.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { TEXTS } from '../texts.ts'

/**
 * The script of pages with a form. Without it, the form is an ordinary one. It finds these parts in a page:
 *
 * | In the page | For |
 * |---|---|
 * | `<form data-wm-form="…">` | the value of `scriptData` |
 * | `<div data-wm-field="NAME">` around each field | label, inputs and error of the field with this name |
 * | `<… data-wm-error>` in a field | its error, if it has one. The script removes and adds such elements |
 * | `<div data-wm-message role="alert">` in the form | the message above the fields. Empty if there is none. Like the status, it has the language of our own words if it is not that of the page |
 * | `<p data-wm-status role="status">` in the form | what the script is doing. Empty |
 * | `<input type="file" data-wm-files="10" data-wm-files-max="3">` | files of at most 10 MB, at most 3 |
 * | `<ul data-wm-received>` in a field with files | the files that we have. An item has an input named `_wm_file:NAME` |
 *
 * The policy of the page must allow `connect-src 'self'`, and `img-src blob:` for previews.
 */
const SCRIPT = compact(PROOF_SCRIPT + readFileSync(new URL('./browser/form.js', import.meta.url), 'utf8'))

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
export function scriptData({ publicSlug, proofOfWork }: PublicPage, language: Language): string {
  const { form, script } = TEXTS[language]
  const { invalid, tooMany, failed, problems } = form
  return JSON.stringify({
    url: `/p/${publicSlug}`,
    isProofNeeded: proofOfWork === 'always',
    texts: { ...script, invalid, tooMany, failed, problems },
  })
}
