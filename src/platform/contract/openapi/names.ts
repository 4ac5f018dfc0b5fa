import type { Operation } from '../operation.ts'

/** `article-tags` → `ArticleTags`; `custom_domain.verified` → `CustomDomainVerified`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `article-categories` → `article-category`. Nouns without a plural stay unchanged. */
export const singular = (noun: string): string =>
  /(ics|ss)$/.test(noun) ? noun : noun.replace(/ies$/, 'y').replace(/s$/, '')

/** Verbs of operations on several resources at once. */
const VERBS_OF_MANY: ReadonlySet<string> = new Set(['list', 'search', 'export', 'replace', 'diff'])

/** A key such as `getByGtin` or `exportAsCsv` has no noun of its own, only the details. */
const NO_OWN_NOUN = /^(?:(?:As|By|Of)[A-Z].*)?$/

/**
 * The verb, the noun of the family, and the rest of the key: `article-tags.create` → `createArticleTag`,
 * `webhooks.rotateSecret` → `rotateWebhookSecret`. The noun is plural if the verb is about several resources of the
 * family: `article-tags.list` → `listArticleTags`.
 */
export function operationId({ id, family, declared }: Operation): string {
  const [, verb = '', rest = ''] = /\.([a-z]+)(.*)$/.exec(id) ?? []
  if (declared.noun !== undefined) return verb + declared.noun
  const plural = family.noun ?? family.name
  const isAboutMany = VERBS_OF_MANY.has(verb) && NO_OWN_NOUN.test(rest)
  return verb + pascalCase(isAboutMany ? plural : singular(plural)) + rest
}
