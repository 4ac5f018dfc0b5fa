/** `article-tags` → `ArticleTags`; `custom_domain.verified` → `CustomDomainVerified`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `article-categories` → `article-category`. Nouns without a plural stay unchanged. */
export const singular = (noun: string): string =>
  /(ics|ss)$/.test(noun) ? noun : noun.replace(/ies$/, 'y').replace(/s$/, '')

/**
 * `article-tags.create` → `createArticleTag`, `webhooks.rotateSecret` → `rotateWebhookSecret`: the verb, the family,
 * the rest of the name. The family is singular, except in `list`.
 */
export function operationId(id: string): string {
  const [family = '', name = ''] = id.split('.')
  const [, verb = name, rest = ''] = /^([a-z]+)(.*)$/.exec(name) ?? []
  return verb + pascalCase(name === 'list' ? family : singular(family)) + rest
}
