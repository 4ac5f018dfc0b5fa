import { resourceEvents } from '../../../platform/outbox/index.ts'
import { Article } from './contract.ts'

const TOO_LONG = 'Null where the event would be longer than 256 KiB: get the article to see it.'

/** An article can be longer than an event may be. */
const ArticleInEvent = Article.extend({
  content: Article.shape.content.nullable().describe(TOO_LONG),
  content_plain: Article.shape.content_plain.describe(TOO_LONG),
}).meta({ id: 'ArticleInEvent' })

const OMITS = ['content', 'content_plain']

const happened = (description: string) => ({ description, payload: ArticleInEvent, omits: OMITS })

export const articleEvents = {
  ...resourceEvents('article', ArticleInEvent, OMITS),
  'article.published': happened('An article was published. The search index follows in a moment.'),
  'article.unpublished': happened('An article that was published is so no longer, and cannot be found any more.'),
  'article.indexed': happened('The search index has an article as it stands now.'),
  'article.indexing_failed': happened('The search index could not take an article. It is tried again when it changes.'),
}
