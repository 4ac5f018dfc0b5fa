/** The JSON schemas of the GS1-Conformant Resolver standard 1.2, as checks. Each returns what is wrong. */
type Json = Record<string, unknown>

const URL_START = /^https?:\/\/[a-zA-z0-9./]+/
const RELATION = /^(?:[a-z-]+|https?:\/\/[a-zA-z0-9./]+)$/
const LANGUAGE = /^\w{2}(?:-\w{2})?$/
const MEDIA_TYPE = /\w+\/[-+.\w]+/
const PREFIX = /^[a-zA-Z_][A-Za-z0-9_-]*:$/
const KEYS = 'all 01 8006 8013 8010 410 411 412 413 414 415 417 8017 8018 255 00 253 401 402 8003 8004'.split(' ')

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const matches = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value)

export function linksetProblems(document: unknown): string[] {
  if (!isObject(document) || !Array.isArray(document.linkset)) return ['linkset must be an array']
  if (Object.keys(document).length > 1) return ['a linkset document has no other properties']
  return document.linkset.flatMap((context, at) => contextProblems(context).map((problem) => `[${at}]: ${problem}`))
}

function contextProblems(context: unknown): string[] {
  if (!isObject(context)) return ['must be an object']
  const { anchor, itemDescription = '', description = '', ...relations } = context
  const problems: string[] = []
  if (!matches(anchor, URL_START)) problems.push('anchor must be a URL')
  for (const text of [itemDescription, description]) if (typeof text !== 'string') problems.push('must be a text')
  if (Object.keys(relations).length === 0) problems.push('must have links')
  for (const [relation, targets] of Object.entries(relations)) {
    if (!RELATION.test(relation)) problems.push(`${relation} must be the URL of a link type or a registered relation`)
    if (!Array.isArray(targets) || targets.length === 0) problems.push(`${relation} must be a list`)
    else for (const target of targets) problems.push(...targetProblems(target).map((each) => `${relation}: ${each}`))
  }
  return problems
}

function targetProblems(target: unknown): string[] {
  if (!isObject(target)) return ['must be an object']
  const { href, title, hreflang, type, context, ...others } = target
  const problems = Object.keys(others).map((name) => `${name} is unknown`)
  if (!matches(href, URL_START)) problems.push('href must be a URL')
  if (!matches(title, /./)) problems.push('title must be a text')
  if (hreflang !== undefined && !(Array.isArray(hreflang) && hreflang.every((each) => matches(each, LANGUAGE))))
    problems.push('hreflang must be a list of languages')
  if (type !== undefined && !matches(type, MEDIA_TYPE)) problems.push('type must be a media type')
  if (context !== undefined && !Array.isArray(context)) problems.push('context must be a list')
  return problems
}

export function describeProblems(document: unknown): string[] {
  if (!isObject(document)) return ['must be an object']
  const { resolverRoot, supportedPrimaryKeys, name = '', supportedLinkType = [], jsonLdContextLocation } = document
  const problems: string[] = []
  if (!matches(resolverRoot, URL_START)) problems.push('resolverRoot must be a URL')
  if (!Array.isArray(supportedPrimaryKeys) || !supportedPrimaryKeys.every((key) => KEYS.includes(key)))
    problems.push('supportedPrimaryKeys must be keys')
  if (typeof name !== 'string') problems.push('name must be a text')
  for (const each of supportedLinkType as Json[]) {
    if (!matches(each.namespace, URL_START) || !matches(each.prefix, PREFIX)) problems.push('a link type is malformed')
  }
  if (typeof (document.linkTypeDefaultCanBeLinkset ?? false) !== 'boolean')
    problems.push('linkTypeDefaultCanBeLinkset must be a boolean')
  if (jsonLdContextLocation !== undefined && !matches(jsonLdContextLocation, URL_START))
    problems.push('jsonLdContextLocation must be a URL')
  return problems
}
