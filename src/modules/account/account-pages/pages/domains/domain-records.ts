import { fill } from '../../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../../platform/text/html.ts'
import type { SignedInVisit } from '../../visit.ts'
import type { Domain } from './domain-state.ts'

/** What a check has found for a record, as the API returns it. */
export interface Check {
  type: string
  domain: string
  /** Several values are separated by commas. Empty if there should be no such record. */
  expected: string
  found: string[]
  ok: boolean
}

/** The records to create. */
export const recordList = (visit: SignedInVisit, { verification_records }: Domain): Html =>
  list(
    visit,
    verification_records.map(({ type, domain, value }) => {
      const { recordName, value: label } = visit.texts.domains
      return html`<li>${heading(visit, type)}<dl>${row(recordName, [toCopy(domain)])}${row(label, [toCopy(value)])}</dl></li>`
    }),
  )

/** What was found beside what was expected. */
export const checkList = (visit: SignedInVisit, checks: readonly Check[]): Html =>
  list(
    visit,
    checks.map(({ type, domain, expected, found, ok }) => {
      const { recordName, value, noRecord, found: foundLabel, nothing } = visit.texts.domains
      const wanted = expected === '' ? [noRecord] : expected.split(', ').map(toCopy)
      const values = found.length === 0 ? [nothing] : found.map((text) => html`<code translate="no">${text}</code>`)
      return html`<li>${heading(visit, type, ok)}<dl>${row(recordName, [toCopy(domain)])}${row(value, wanted)}${row(foundLabel, values)}</dl></li>`
    }),
  )

/** Includes the texts that the script needs. */
const list = ({ texts: { domains } }: SignedInVisit, items: readonly Html[]): Html =>
  html`<ul class="records" data-copy="${domains.copy}" data-copy-text="${domains.copyText}" data-copied="${domains.copied}">${items}</ul>`

function heading({ texts: { domains } }: SignedInVisit, type: string, isCorrect?: boolean): Html {
  const state =
    isCorrect !== undefined &&
    (isCorrect
      ? html`<span class="state">✓ ${domains.correct}</span>`
      : html`<span class="state bad">✗ ${domains.wrong}</span>`)
  return html`<h3>${fill(domains.record, { type })}${state}</h3>
<p class="muted">${type === 'TXT' ? domains.reasons.ownership : domains.reasons.pointing}</p>`
}

const row = (label: string, values: readonly (string | Html)[]): Html =>
  html`<div><dt>${label}</dt>${values.map((value) => html`<dd>${value}</dd>`)}</div>`

const toCopy = (text: string): Html => html`<code class="copyable" translate="no">${text}</code>`
