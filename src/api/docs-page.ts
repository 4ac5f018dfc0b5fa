import { createHash } from 'node:crypto'
import { pagePolicy } from '../platform/http/security-headers.ts'

export const VIEWER_PATH = '/docs/viewer.js'

/** Turns off what a self-hosted page should not do: external fonts, telemetry, a proxy, a chat. The policy below blocks it too. */
const CONFIGURATION = {
  url: '/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

const START = `Scalar.createApiReference('#app', ${JSON.stringify(CONFIGURATION)})`

/** Allows only our own scripts and requests. The viewer writes inline styles. */
export const CONTENT_SECURITY_POLICY = pagePolicy([
  `script-src 'self' 'sha256-${createHash('sha256').update(START).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
])

/** A signpost. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><path fill='%230f766e' d='M14 3h4v26h-4zM7 6h16l5 4-5 4H7zM25 16H9l-5 4 5 4h16z'/></svg>"

const STYLE = `
  :root { color-scheme: light dark; --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace }
  body { margin: 0 }
  section:focus-visible { outline: none }
  noscript { display: block; padding: 2rem; font-family: system-ui, sans-serif }
`

export const docsPage = (viewerHash: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Waymark API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="description" content="How to use the Waymark API: every operation with its parameters, responses and errors.">
    <link rel="icon" href="${ICON}">
    <style>${STYLE}</style>
  </head>
  <body>
    <noscript>This page needs JavaScript. The same document is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
    <div id="app"></div>
    <script src="${VIEWER_PATH}?v=${viewerHash}"></script>
    <script>${START}</script>
  </body>
</html>
`
