import { PROOF_FIELD } from '../../../../platform/rate-limit/proof-of-work.ts'
import { directionOf } from '../../../../platform/text/direction.ts'
import { type Html, html, raw } from '../../../../platform/text/html.ts'
import type { Block, BlockOf } from '../../blocks/index.ts'
import { isFormField } from '../../blocks/index.ts'
import { ABOUT_FIELD, KEY_FIELD, TRAP_FIELD } from '../form-state.ts'
import { problemText } from '../rendering/problem-text.ts'
import type { View } from '../rendering/view.ts'
import { scriptData } from '../script/index.ts'
import { fieldId, formField } from './fields.ts'

export const hasForm = (blocks: readonly Block[]): boolean => blocks.some(({ type }) => isFormField(type))

/** The form: everything from its first block to its last one, with what lies between them. */
export function form(
  view: View,
  blocks: readonly Block[],
  inner: (block: Block) => Html | false,
  about: string | null,
): Html {
  const { page, texts } = view
  const hasFiles = blocks.some(({ type }) => type === 'form_media')
  const hasSubmit = blocks.some(({ type }) => type === 'form_submit')
  const isRequired = blocks.some(({ config }) => 'required' in config && config.required)
  const problems = message(view, blocks)
  const summary = html`<div class="problems" data-wm-message role="alert" tabindex="-1"${problems && html` autofocus`}${view.ours}>${problems}</div>`
  return html`<form method="post" action="/p/${page.publicSlug}?lang=${view.language}"${
    hasFiles && html` enctype="multipart/form-data"`
  } data-wm-send=${quoted(scriptData(page, view.interfaceLanguage))}>
${problems && summary}${isRequired && html`<p class="help required"${view.ours}>${texts.form.requiredFields}</p>`}${blocks.map((block) => inner(block))}
<div class="trap" aria-hidden="true"><label for="wm-t">${texts.form.leaveEmpty}</label><input id="wm-t" name="${TRAP_FIELD}" tabindex="-1" autocomplete="off" readonly></div>
<input type="hidden" name="${ABOUT_FIELD}" value="${about}"><input type="hidden" name="${KEY_FIELD}" value="${sent(view, KEY_FIELD)}"><input type="hidden" name="${PROOF_FIELD}">
${!hasSubmit && html`<button class="btn"${view.ours}>${texts.form.send}</button>${status(view)}`}${!problems && summary}
</form>`
}

/** Below the button: what the script does with the form. */
const status = ({ ours }: View): Html => html`<p class="status" data-wm-status role="status"${ours}></p>`

/** Quotes JSON as an attribute. It is full of double quotes, so single ones make the page smaller. */
const quoted = (json: string): Html =>
  raw(`'${json.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;')}'`)

/** A block of the form. */
export function formBlock(view: View, block: Block): Html | false {
  if (block.type === 'form_hidden') return hidden(view, block.config)
  if (block.type === 'form_submit') {
    return html`<button class="btn ${block.config.style}"${view.attributes(block.config.label)}>${view.text(block.config.label)}</button>${status(view)}`
  }
  return isField(block) && formField(view, block)
}

const isField = (block: Block): block is Parameters<typeof formField>[1] => isFormField(block.type)

/** The name of the fact that a hidden field takes from the visitor's address. */
export const queryFact = (param: string): string => `query ${param}`

function hidden(view: View, { name, value, query_param }: BlockOf<'form_hidden'>['config']): Html {
  const fromAddress = query_param === null ? undefined : view.facts.get(queryFact(query_param))
  const current = view.form === null ? (fromAddress ?? view.text(value)) : sent(view, name)
  return html`<input type="hidden" name="${name}" value="${current}">`
}

const sent = (view: View, name: string): string => view.answer(name)?.[0] ?? ''

/** What is wrong, with links to the fields. */
function message(view: View, blocks: readonly Block[]): Html | false {
  const { form: state, texts } = view
  if (state === null || state.message === null) return false
  const { invalid, tooMany, failed } = texts.form
  if (state.message !== 'invalid') return html`<div><p>${state.message === 'too_many' ? tooMany : failed}</p></div>`
  const named = blocks.flatMap((block) => (isField(block) ? [block] : []))
  const problems = state.problems.flatMap((problem) => {
    const block = named.find(({ config }) => config.name === problem.name)
    return block === undefined ? [] : [{ block, text: problemText(problem, view.interfaceLanguage) }]
  })
  return html`<div><p>${invalid}</p><ul${view.ours && html` lang="${view.language}" dir="${directionOf(view.language)}"`}>${problems.map(
    ({ block, text }) =>
      html`<li><a href="#${fieldId(block)}"${view.attributes(block.config.label)}>${view.text(block.config.label)}: ${view.say(text)}</a></li>`,
  )}</ul></div>`
}
