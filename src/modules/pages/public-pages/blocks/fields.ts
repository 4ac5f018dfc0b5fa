import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html, type Insert } from '../../../../platform/text/html.ts'
import { fileField } from '../../../assets/uploads/index.ts'
import type { Block, BlockOf } from '../../blocks/index.ts'
import { type FieldProblem, type PossibleProblem, possibleProblems } from '../../form/index.ts'
import { icon } from '../rendering/icons.ts'
import { problemText } from '../rendering/problem-text.ts'
import type { View } from '../rendering/view.ts'

type Field = Exclude<Extract<Block, { type: `form_${string}` }>, { type: 'form_submit' | 'form_hidden' }>

/** Up to here the scale is drawn with stars, which fit on a phone in one line. */
const STARS_MAX = 5

const MEDIA_TYPES = { image: 'image/*', video: 'video/*', audio: 'audio/*', pdf: 'application/pdf' }

/** What browsers can fill in, by the names that people give such fields. */
const AUTOCOMPLETE: Record<string, string> = {
  name: 'name',
  full_name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
  company: 'organization',
  organisation: 'organization',
  organization: 'organization',
  street: 'street-address',
  address: 'street-address',
  zip: 'postal-code',
  postcode: 'postal-code',
  postal_code: 'postal-code',
  city: 'address-level2',
  country: 'country-name',
}

/** The id of the element that a link to the field leads to. */
export const fieldId = (block: Block): string => `f${block.sort_order}`

/** A field with its label, help, and room for its problem. */
export function formField(view: View, block: Field): Html {
  const { config } = block
  const id = fieldId(block)
  const help = helpOf(view, block)
  const found = view.form?.problems.find(({ name }) => name === config.name)
  const label = html`${view.text(config.label)}${config.required && html` <span class="star" aria-hidden="true">*</span>`}`
  const shared: Shared = {
    id,
    label,
    labelAttributes: view.attributes(config.label),
    help: help && html`<p class="help" id="${id}-h"${view.attributes(config.help)}>${help}</p>`,
    attributes: html` aria-describedby="${help && `${id}-h `}${id}-e"${found !== undefined && html` aria-invalid="true"`}`,
    required: config.required && html` required`,
  }
  return html`<div data-wm-field="${config.name}">${drawn(view, block, shared)}${problemLine(view, block, found)}</div>`
}

/**
 * Has all that may be said about an answer, of which the style shows only what was found. So it is as high as the highest
 * of these texts at any width, and nothing moves when one appears or goes.
 */
function problemLine(view: View, block: Field, found: FieldProblem | undefined): Html {
  const others = possibleProblems(block).filter(({ problem }) => problem !== found?.problem)
  const line = (problem: PossibleProblem, shown: Html | false) =>
    html`<p data-problem="${problem.problem}"${shown}>${problemText(problem, view.interfaceLanguage)}</p>`
  return html`<div class="says" id="${fieldId(block)}-e" data-wm-says${view.ours}>${others.map((problem) => line(problem, false))}${
    found !== undefined && line(found, html` class="on"`)
  }</div>`
}

interface Shared {
  id: string
  label: Html
  labelAttributes: Html
  help: Html | false
  attributes: Html
  required: Insert
}

function drawn(view: View, block: Field, shared: Shared): Html {
  switch (block.type) {
    case 'form_radio':
    case 'form_checkbox':
      return choices(view, block, shared)
    case 'form_rating':
      return rating(view, block.config, shared)
    case 'form_switch':
      return toggle(view, block.config, shared)
    default:
      return html`<label for="${shared.id}"${shared.labelAttributes}>${shared.label}</label>${shared.help}${control(view, block, shared)}${
        block.type === 'form_media' && html`${adding(view, block, shared)}${received(view, block.config.name)}`
      }`
  }
}

type Control = Exclude<Field, { type: 'form_radio' | 'form_checkbox' | 'form_rating' | 'form_switch' }>

function control(view: View, block: Control, { id, attributes, required }: Shared): Html {
  const { name } = block.config
  const value = view.answer(name)?.[0] ?? ''
  const common = html`class="in" id="${id}" name="${name}"${attributes}`
  const input = (type: string, more: Insert) =>
    html`<input ${common} type="${type}" value="${value}" dir="auto"${required}${more}>`
  switch (block.type) {
    case 'form_text': {
      const { placeholder, min, max, pattern } = block.config
      const known = AUTOCOMPLETE[name.toLowerCase().replaceAll('-', '_')]
      return input('text', [
        optional('placeholder', view.note(placeholder)),
        ...[optional('minlength', min), optional('maxlength', max), optional('pattern', pattern)],
        optional('autocomplete', known),
      ])
    }
    case 'form_email':
      return input('email', [
        optional('placeholder', view.note(block.config.placeholder)),
        html` autocomplete="email" maxlength="254"`,
      ])
    case 'form_phone':
      return input('tel', [
        optional('placeholder', view.note(block.config.placeholder)),
        html` autocomplete="tel" maxlength="50"`,
      ])
    case 'form_number': {
      const { placeholder, min, max, step } = block.config
      return input('number', [
        ...[optional('min', min), optional('max', max), optional('step', step ?? 'any')],
        ...[optional('placeholder', view.note(placeholder)), html` inputmode="decimal"`],
      ])
    }
    case 'form_date':
      return input('date', [optional('min', block.config.min), optional('max', block.config.max)])
    case 'form_textarea': {
      const { placeholder, min, max, rows } = block.config
      // The parser drops the first line break of a text area.
      return html`<textarea ${common} rows="${rows}" dir="auto"${required}${optional('minlength', min)}${optional('maxlength', max)}${optional(
        'placeholder',
        view.note(placeholder),
      )}>\n${value}</textarea>`
    }
    case 'form_select': {
      const first = view.note(block.config.placeholder)
      const none =
        first === ''
          ? html`<option value=""${view.ours}>${view.texts.form.choose}</option>`
          : html`<option value="">${first}</option>`
      return html`<select ${common}${required}>${none}${block.config.options.map(
        (option) =>
          html`<option value="${option.value}"${option.value === value && html` selected`}>${view.text(option.label)}</option>`,
      )}</select>`
    }
    case 'form_media': {
      const { accept, max_files, max_size_mb } = block.config
      const hasFiles = filesOf(view, name).length > 0
      return html`<input ${common} type="file" accept="${accept.map((kind) => MEDIA_TYPES[kind]).join(',')}"${
        max_files > 1 && html` multiple`
      }${!hasFiles && required} data-wm-files="${max_size_mb}" data-wm-files-max="${max_files}">`
    }
  }
}

const optional = (name: string, value: string | number | null | undefined): Html | false =>
  value !== null && value !== undefined && value !== '' && html` ${name}="${value}"`

function choices(view: View, { type, config }: BlockOf<'form_radio'> | BlockOf<'form_checkbox'>, shared: Shared): Html {
  const chosen = view.answer(config.name) ?? []
  const isRadio = type === 'form_radio'
  return group(
    shared,
    html`<div class="options">${config.options.map(
      (option, n) =>
        html`<label class="option"><input type="${isRadio ? 'radio' : 'checkbox'}" name="${config.name}" value="${option.value}"${firstId(shared, n)}${
          chosen.includes(option.value) && html` checked`
        }${isRadio && shared.required}><span${view.attributes(option.label)}>${view.text(option.label)}</span></label>`,
    )}</div>`,
  )
}

function rating(view: View, { name, max }: BlockOf<'form_rating'>['config'], shared: Shared): Html {
  const chosen = view.answer(name)?.[0]
  const isStars = max <= STARS_MAX
  const steps = Array.from({ length: max }, (_, n) => String(n + 1))
  return group(
    shared,
    html`<div class="rating ${isStars ? 'stars' : 'numbers'}">${steps.map(
      (step, n) =>
        html`<label><input type="radio" name="${name}" value="${step}"${firstId(shared, n)}${step === chosen && html` checked`}${
          shared.required
        }${view.ours} aria-label="${fill(view.texts.form.rating, { n: step, max })}">${isStars ? icon('star') : step}</label>`,
    )}</div>`,
  )
}

/** A link to the field leads to its first choice. */
const firstId = ({ id }: Shared, n: number): Html | false => n === 0 && html` id="${id}"`

const group = ({ label, labelAttributes, help, attributes }: Shared, inner: Html): Html =>
  html`<fieldset class="field"${attributes}><legend${labelAttributes}>${label}</legend>${help}${inner}</fieldset>`

function toggle(view: View, config: BlockOf<'form_switch'>['config'], shared: Shared): Html {
  const sent = view.answer(config.name)
  const isOn = sent === undefined ? config.default : sent.includes('on')
  return html`<label class="switch" for="${shared.id}"><span${shared.labelAttributes}>${shared.label}</span><input type="checkbox" role="switch" id="${shared.id}" name="${config.name}" value="on"${
    shared.attributes
  }${shared.required}${isOn && html` checked`}></label>${shared.help}`
}

/** The help of the organisation, and for files what we accept. */
function helpOf(view: View, { type, config }: Field): Html | false {
  const own = view.note(config.help)
  if (type !== 'form_media') return own !== '' && html`${own}`
  const { kinds, oneFile, severalFiles } = view.texts.form
  const { accept, max_files: n, max_size_mb: size } = config
  const limits = fill(n === 1 ? oneFile : severalFiles, { n, size })
  return html`${own !== '' && `${own}\n`}${view.say(`${accept.map((kind) => kinds[kind]).join(', ')}. ${limits}`)}`
}

/** The buttons that the script shows in place of the browser's own. The second one, on touch screens, opens the camera. */
function adding(view: View, { config: { accept } }: BlockOf<'form_media'>, { id }: Shared): Html {
  const { add, takePhoto } = view.texts.form
  const takesPhotos = accept.includes('image')
  const takesVideos = accept.includes('video')
  const takesOthers = accept.includes('audio') || accept.includes('pdf')
  const ofCamera = takesPhotos && takesVideos ? add.photoOrVideo : takesPhotos ? add.photo : add.video
  const camera = html`<label class="btn outline camera">${icon('camera')}${takePhoto}<input class="hidden" type="file" accept="image/*" capture="environment"></label>`
  return html`<div class="adding"${view.ours}><label class="btn outline" for="${id}">${icon('add')}${takesOthers ? add.file : ofCamera}</label>${takesPhotos && camera}</div>`
}

const filesOf = (view: View, name: string) => (view.answer(name) ?? []).flatMap((id) => view.form?.files.get(id) ?? [])

/** Files that we have already. Without the script, one can be removed by clearing its box. */
function received(view: View, name: string): Html {
  const files = filesOf(view, name)
  const { form } = view.texts
  return html`${files.length > 0 && html`<p class="help"${view.ours}>${form.received}</p>`}<ul data-wm-received aria-live="polite"${view.ours}>${files.map(
    ({ token, file_name }) =>
      html`<li><label class="option"><input type="checkbox" name="${fileField(name)}" value="${token}" checked><span dir="auto">${fill(
        form.keepFile,
        { name: file_name },
      )}</span></label></li>`,
  )}</ul>`
}
