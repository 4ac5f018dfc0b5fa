import { html } from '../../../../platform/text/html.ts'
import { PATHS } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, AccountVisit } from '../visit.ts'

export async function startPage(
  _services: AccountRequestServices,
  { texts, person }: AccountVisit,
): Promise<AccountResponse> {
  const { start } = texts
  const main = html`<h1>${start.title}</h1>
<p>${start.text}</p>
<p class="inline"><a class="button" href="${person === undefined ? PATHS.signIn : PATHS.account}">${
    person === undefined ? start.signIn : start.account
  }</a> <a class="button plain" href="/docs">${start.docs}</a></p>`
  return { title: start.title, main }
}
