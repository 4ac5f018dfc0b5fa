import { createHash } from 'node:crypto'
import { pagePolicy } from '../../../platform/http/server/security-headers.ts'
import { declareTokens, NO_BRAND, readStyle, styleTag } from '../../../platform/look/index.ts'
import { html, raw } from '../../../platform/text/html.ts'
import { headerLinks, ICON } from '../layout.ts'
import { REFERENCE_PATH } from './operations.ts'
import { VIEWER_THEME } from './viewer-theme.ts'

export const VIEWER_PATH = '/docs/viewer.js'

/** Turns off what a self-hosted page should not do: external fonts, telemetry, a proxy, a chat. The policy below blocks it too. */
const CONFIGURATION = {
  url: '/v1/openapi.json',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  defaultOpenAllTags: false,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  customCss: VIEWER_THEME,
}

/**
 * Starts the viewer. It leaves some buttons for copying without a name, and gives others a name without the text that they
 * show, so that neither screen readers nor voice control can use them.
 */
const START = `Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)})
new MutationObserver(() => {
  for (const button of document.querySelectorAll('#app button:not([data-named])')) {
    const text = button.textContent.trim()
    const name = button.ariaLabel ?? ''
    if (name === '' && button.matches('.group\\\\/copy-button')) button.ariaLabel = 'Copy'
    else if (button.matches('.show-more') && !name.includes(text)) button.ariaLabel = text + ': ' + name
    else continue
    button.dataset.named = ''
  }
}).observe(document.getElementById('app'), { childList: true, subtree: true })`

/** Allows only our own scripts and requests. The viewer writes inline styles. */
export const VIEWER_HEADERS = {
  'content-security-policy': pagePolicy([
    `script-src 'self' 'sha256-${createHash('sha256').update(START).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
  ]),
  'referrer-policy': 'no-referrer',
}

const STYLE =
  declareTokens(NO_BRAND, ['page', 'card', 'text', 'muted', 'line', 'sign']) + readStyle(import.meta.url, 'viewer.css')

/** A script of a megabyte, to send requests with. Everything else is on the pages of the reference. */
export const viewerPage = (viewerHash: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Try the Waymark API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="${ICON}">
${styleTag(STYLE)}
</head>
<body>
<nav class="top" aria-label="Documentation">${headerLinks('reference')}</nav>
<div id="app"></div>
<main class="loading"><h1>API viewer</h1>
<p>The viewer is loading. It needs JavaScript. <a href="${REFERENCE_PATH}">Read the reference</a> without it.</p></main>
<script src="${VIEWER_PATH}?v=${viewerHash}"></script>
<script>${raw(START)}</script>
</body>
</html>
`.toString()
