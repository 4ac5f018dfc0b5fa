import { type Html, html } from '../../../platform/text/html.ts'
import { frame, renderPage } from '../layout.ts'
import { familyPath, linkTo, type ReferenceGroup, VIEWER_PAGE_PATH, viewerFragment } from './operations.ts'

/** Lists all operations. Bookmarks of the viewer, which was here before, still lead to their line. */
export function overviewPage(groups: readonly ReferenceGroup[]): string {
  const main = html`<main id="content" tabindex="-1"><article class="prose reference"><h1>API reference</h1>
<p>Every operation with its parameters, fields, errors and an example. The same is in <a href="/v1/openapi.json">/v1/openapi.json</a> for programs. To send requests from your browser, <a href="${VIEWER_PAGE_PATH}">open the viewer</a>: it is a script of about a megabyte.</p>
${groups.map(
  ({ name, families }) => html`<h2>${name}</h2>
${families.map(
  (family) => html`<h3><a href="${familyPath(family.name)}">${family.title}</a></h3><ul>${family.operations.map(
    (operation) =>
      html`<li id="${viewerFragment(operation)}"><code>${operation.method} ${operation.path}</code> <a href="${linkTo(operation)}">${operation.summary}</a></li>`,
  )}</ul>
`,
)}`,
)}</article></main>`
  return renderPage({
    title: 'Waymark API reference',
    description: 'Every operation of the Waymark API with its parameters, responses and errors.',
    current: 'reference',
    body: frame(familiesNav(groups), main),
  })
}

/** The list of families beside the main part. */
export const familiesNav = (groups: readonly ReferenceGroup[], current?: string): Html =>
  html`<nav class="guides" aria-label="Reference"><div>${groups.map(
    ({ name, families }) =>
      html`<h2>${name}</h2><ul>${families.map(
        (family) =>
          html`<li><a href="${familyPath(family.name)}"${family.name === current && html` aria-current="page"`}>${family.title}</a></li>`,
      )}</ul>`,
  )}</div></nav>`
