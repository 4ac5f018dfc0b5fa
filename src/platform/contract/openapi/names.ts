/** `article-tags` → `ArticleTags`; `custom_domain.verified` → `CustomDomainVerified`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `article-categories` → `article-category`; what has no plural stays as it is. */
export const singular = (noun: string): string =>
  /(ics|ss)$/.test(noun) ? noun : noun.replace(/ies$/, 'y').replace(/s$/, '')

/**
 * `article-tags.create` → `createArticleTag`, `webhooks.rotateSecret` → `rotateWebhookSecret`: the verb, the
 * family, the rest of the verb. The family is in the singular, unless the whole of it is listed.
 */
export function operationId(id: string): string {
  const [family = '', name = ''] = id.split('.')
  const [, verb = name, rest = ''] = /^([a-z]+)(.*)$/.exec(name) ?? []
  return verb + pascalCase(name === 'list' ? family : singular(family)) + rest
}
