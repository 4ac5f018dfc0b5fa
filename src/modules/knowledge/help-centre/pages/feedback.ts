import { type Html, html } from '../../../../platform/text/html.ts'
import { textDirection } from '../../../../platform/text/text-language.ts'
import { articlePath } from '../../public-articles/index.ts'
import type { PageContext } from '../page-context.ts'
import { contactBlock } from './contact.ts'
import { languageLinks } from './layout.ts'
import type { CentreView, ShownArticle } from './view.ts'

/** The last part of the address that the form is sent to. */
export const FEEDBACK_PATH = 'feedback'

/** Limits what a visitor writes, in characters. */
export const COMMENT_LENGTH_MAX = 500

/**
 * The thanks are part of every page, and shown when the address names them. So the page is the same for all visitors and
 * can be cached, and no script is needed.
 */
export const THANKS_ID = 'feedback-thanks'

/** Asks whether the article helped. The address names the language of the text that is shown. */
export const feedbackForm = ({ texts, to }: PageContext, slug: string, language: string): Html =>
  html`<section class="vote">
<p class="thanks" id="${THANKS_ID}" tabindex="-1">${texts.feedback.thanks}</p>
<form method="post" action="${to.article(slug)}/${FEEDBACK_PATH}?language=${language}"><fieldset>
<legend>${texts.feedback.question}</legend>
<div><button name="helpful" value="yes">${texts.feedback.yes}</button><button name="helpful" value="no">${texts.feedback.no}</button></div>
</fieldset></form>
</section>`

/**
 * What follows a "No": one question, and where else to ask. It is not cached, because chatbots come and go without a change of the
 * help centre. `chatbot` is the public slug of one that answers from it.
 */
export function feedbackView(
  context: PageContext,
  { article, text }: ShownArticle,
  chatbot: string | undefined,
): CentreView {
  const { centre, texts, to, at, interfaceLanguage } = context
  const { missing } = texts.feedback
  return {
    title: missing.question,
    main: html`<main class="narrow" id="content" tabindex="-1">
<section class="vote missing">
<h1>${missing.question}</h1>
<p lang="${text.language}" dir="${textDirection(text.language)}"><b>${text.title}</b></p>
<form method="post" action="${to.article(article.slug)}/${FEEDBACK_PATH}?language=${text.language}">
<input type="hidden" name="helpful" value="no">
<textarea name="comment" rows="4" maxlength="${COMMENT_LENGTH_MAX}" dir="auto" aria-label="${missing.question}" aria-describedby="missing-help"></textarea>
<p id="missing-help">${missing.help}</p>
<div><button>${missing.send}</button><a href="${to.article(article.slug)}">${missing.back}</a></div>
</form>
</section>
${chatbot !== undefined && html`<p><a class="button" href="/c/${chatbot}?lang=${interfaceLanguage}">${missing.chat}</a></p>`}
${contactBlock(centre, texts)}
</main>`,
    isArticle: true,
    header: 'search',
    languageLinks: languageLinks(context, (other) => articlePath(at, article.slug, other)),
  }
}
