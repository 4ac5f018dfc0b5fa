import { resourceEvents } from '../../../platform/outbox/index.ts'
import { Article } from './contract.ts'

const TOO_LONG = 'Null if the event would be larger than 256 KiB. Get the article to read it.'

/** An article can be larger than the maximum size of an event. */
const ArticleInEvent = Article.extend({
  content: Article.shape.content.nullable().describe(TOO_LONG),
  content_plain: Article.shape.content_plain.describe(TOO_LONG),
}).meta({ id: 'ArticleInEvent' })

const OMITS = ['content', 'content_plain']

const articleEvent = (description: string) => ({ description, payload: ArticleInEvent, omits: OMITS })

export const articleEvents = {
  ...resourceEvents('article', ArticleInEvent, { omits: OMITS }),
  'article.published': articleEvent('An article was published. It can be found by search a moment later.'),
  'article.unpublished': articleEvent('An article is no longer published and can no longer be found.'),
  'article.indexed': articleEvent('The search index contains the current text of an article.'),
  'article.indexing_failed': articleEvent('An article could not be indexed for search. The next change tries again.'),
}
