import { type Html, html } from '../../../../platform/text/html.ts'
import type { PageContext } from '../page-context.ts'

/** The last part of the address that the form is sent to. */
export const FEEDBACK_PATH = 'feedback'

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
