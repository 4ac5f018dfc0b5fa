import type { IncomingHttpHeaders } from 'node:http'
import { isbot } from 'isbot'

const SPECULATION = /^(?:prefetch|prerender|preview)/i

/**
 * What the list of `isbot` lacks: clients that fetch without showing anything. Office asks for a link and then
 * opens it in a browser, which would count twice; CFNetwork, Dalvik and dart:io are what apps fetch with when
 * they do not show a page.
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

/** Facebook's app and Messenger say this of themselves; their fetchers never do. */
const FACEBOOK_APP = /\bFB(?:AN|AV)\//
const PHONE = /^Mozilla\/5\.0 \((?:iPhone|iPad|iPod|Linux;|Android|Phone;|Mobile;)/
/** Ordinary words that `isbot` takes for a bot, and that people have in the name of an app or a maker. */
const APP_WORD = /advisor|capture|check|cubot|detect|discovery|feed|grab|insight|news|radar|scan|sogou|tools/i
const BOT_WORD = /(?<!^(?:cu|scan))bot|crawl|fetch|preview|spider/i

interface ScanRequest {
  method: string
  headers: IncomingHttpHeaders
  userAgent: { readonly isBot: boolean }
}

/** Whether a machine asks, or a browser on its own account: whether nobody will look at the answer. */
export const isBot = ({ method, headers, userAgent }: ScanRequest): boolean =>
  method === 'HEAD' || userAgent.isBot || isSpeculative(headers)

/** A browser says so when it asks before anybody has decided to look; which header it says it in has changed. */
function isSpeculative(headers: IncomingHttpHeaders): boolean {
  const purpose = headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz']
  return purpose !== undefined && SPECULATION.test(String(purpose))
}

/** Whether a User-Agent is a machine's. Costs about 10 µs; ask through `rememberUserAgents`. */
export function isBotAgent(userAgent: string): boolean {
  if (OTHER_BOTS.test(userAgent)) return true
  if (!isbot(userAgent) || FACEBOOK_APP.test(userAgent)) return false
  // A bot that poses as a phone still says `bot` or gives an address; without that, a QR scanner is a person's app.
  return !PHONE.test(userAgent) || isbot(withoutAppNames(userAgent))
}

const withoutAppNames = (userAgent: string): string =>
  userAgent.replace(/[\w.-]+/g, (name) => (APP_WORD.test(name) && !BOT_WORD.test(name) ? '' : name))
