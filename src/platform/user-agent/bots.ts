import type { IncomingHttpHeaders } from 'node:http'
import { isbot } from 'isbot'

const SPECULATION = /^(?:prefetch|prerender|preview)/i

/**
 * Bots that `isbot` does not list: clients that fetch a page without showing it. Office fetches a link before it opens
 * it in a browser, which would count twice. CFNetwork, Dalvik and dart:io are the HTTP clients of apps that do not
 * show a page.
 */
const OTHER_BOTS = new RegExp(
  [
    'facebookexternalhit',
    'ms-?office|^microsoft office|^outlook-',
    'barracuda|ciscosecure|fortiguard|mimecast|proofpoint|trendmicro',
    'cfnetwork/|^dalvik/|dart:io|powershell/',
  ].join('|'),
  'i',
)

/** Sent by Facebook's app and Messenger, never by their link fetchers. */
const FACEBOOK_APP = /\bFB(?:AN|AV)\//
const PHONE = /^Mozilla\/5\.0 \((?:iPhone|iPad|iPod|Linux;|Android|Phone;|Mobile;)/
/** Words that `isbot` takes for a bot, but that also occur in the names of apps and phone makers. */
const APP_WORD = /advisor|capture|check|cubot|detect|discovery|feed|grab|insight|news|radar|scan|sogou|tools/i
const BOT_WORD = /(?<!^(?:cu|scan))bot|crawl|fetch|preview|spider/i

interface VisitorRequest {
  method: string
  headers: IncomingHttpHeaders
  userAgent: { readonly isBot: boolean }
}

/** Whether no person will see the response: the client is a program, or a browser that fetches speculatively. */
export const isBot = ({ method, headers, userAgent }: VisitorRequest): boolean =>
  method === 'HEAD' || userAgent.isBot || isSpeculative(headers)

/** Whether a browser fetches before the user opens the link. The header that says so has changed over the years. */
function isSpeculative(headers: IncomingHttpHeaders): boolean {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz']
  return purpose !== undefined && SPECULATION.test(String(purpose))
}

/** Whether a User-Agent belongs to a program. Costs about 10 µs, so call it through `UserAgents`. */
export function isBotAgent(userAgent: string): boolean {
  if (OTHER_BOTS.test(userAgent)) return true
  if (!isbot(userAgent) || FACEBOOK_APP.test(userAgent)) return false
  // A bot that poses as a phone still says `bot` or names a URL. Without that, a QR scanner is a person's app.
  return !PHONE.test(userAgent) || isbot(withoutAppNames(userAgent))
}

const withoutAppNames = (userAgent: string): string =>
  userAgent.replace(/[\w.-]+/g, (name) => (APP_WORD.test(name) && !BOT_WORD.test(name) ? '' : name))
