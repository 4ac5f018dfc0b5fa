import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { ROLES, type RoleName } from '../../roles/index.ts'
import { formatTime } from '../format.ts'
import { formFields, inputField } from '../forms.ts'
import { mayUse, PATHS, refusal } from '../layout.ts'
import type { AccountRequestServices } from '../request-services.ts'
import type { AccountResponse, SignedInVisit } from '../visit.ts'

/** What came of the form that was sent. */
interface TeamFormResult {
  problem?: string | undefined
  /** The link of a new invitation. */
  link?: { email: string; url: string }
  /** The address that a new invitation was sent to. */
  sentTo?: string
}

export const teamPage = (_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> =>
  showTeam(visit)

export async function changeMember(_services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form } = visit
  const params = { id: form.get('id') ?? '' }
  const { status, body } = form.has('remove')
    ? await visit.call('members.delete', { params })
    : await visit.call('members.update', { params, body: { role_id: form.get('role_id') } })
  return status < 300 ? { goTo: PATHS.team } : showTeam(visit, { problem: body.message })
}

export async function invite(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form } = visit
  const { status, body } = await visit.call('invitations.create', {
    body: { email: form.get('email'), role_id: form.get('role_id') },
  })
  if (status !== 201) return showTeam(visit, { problem: body.message })
  if (services.mails.canSend) return showTeam(visit, { sentTo: body.email })
  const url = `${services.appUrl}${PATHS.invitation}?token=${body.token}`
  return showTeam(visit, { link: { email: body.email, url } })
}

export async function revokeInvitation(
  _services: AccountRequestServices,
  visit: SignedInVisit,
): Promise<AccountResponse> {
  const { status, body } = await visit.call('invitations.delete', { params: { id: visit.form.get('id') ?? '' } })
  return status < 300 ? { goTo: PATHS.team } : showTeam(visit, { problem: body.message })
}

async function showTeam(
  visit: SignedInVisit,
  { problem, link, sentTo }: TeamFormResult = {},
): Promise<AccountResponse> {
  const { team, mail } = visit.texts
  const query = { page_size: '100' }
  const [members, invitations] = [
    await visit.call('members.list', { query }),
    await visit.call('invitations.list', { query }),
  ]
  if (members.status !== 200) return refusal(visit, members.status)
  const mayManage = mayUse(visit, 'team.manage')
  const main = html`<h1>${team.title}</h1>
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
${sentTo && html`<p class="notice" role="status">${fill(mail.invitationSent, { email: sentTo })}</p>`}
${link && html`<p class="notice" role="status">${mail.noMail} ${fill(team.invitationLink, { email: link.email })}<span class="secret">${link.url}</span></p>`}
<section><h2>${team.members}</h2><ul class="rows">${members.body.data.map((member: Member) => memberRow(visit, member, mayManage))}</ul></section>
${mayManage && invitationSection(visit, invitations.body.data)}
${rolesSection(visit)}`
  return { title: team.title, main, status: problem === undefined ? 200 : 400 }
}

interface Member {
  id: string
  first_name: string | null
  last_name: string | null
  email: string
  role: RoleName
  role_id: string
}

function memberRow(
  visit: SignedInVisit,
  { id, first_name, last_name, email, role, role_id }: Member,
  mayManage: boolean,
): Html {
  const { team, roles } = visit.texts
  const name = [first_name, last_name].filter(Boolean).join(' ') || email
  return html`<li><span class="what"><strong>${name}</strong><span class="state">${roles[role]}</span>
${name !== email && html`<small>${email}</small>`}</span>
${
  mayManage &&
  html`<form method="post" action="/account/team/member">${formFields(visit)}<input type="hidden" name="id" value="${id}">
${roleSelect(visit, role_id, `${team.role}: ${name}`)}
<button class="plain">${team.changeRole}</button><button class="bad" name="remove" value="1">${team.remove}</button></form>`
}</li>`
}

interface Invitation {
  id: string
  email: string
  role: RoleName
  expires_at: string
}

function invitationSection(visit: SignedInVisit, invitations: Invitation[]): Html {
  const { texts, language } = visit
  const { team, roles } = texts
  return html`<section><h2>${team.invitations}</h2>
${
  invitations.length === 0
    ? html`<p class="muted">${team.noInvitations}</p>`
    : html`<ul class="rows">${invitations.map(
        ({
          id,
          email,
          role,
          expires_at,
        }) => html`<li><span class="what"><strong>${email}</strong><span class="state">${roles[role]}</span>
<small>${fill(team.expires, { date: formatTime(expires_at, language) })}</small></span>
<form method="post" action="/account/team/revoke">${formFields(visit)}<input type="hidden" name="id" value="${id}"><button class="plain">${team.revoke}</button></form></li>`,
      )}</ul>`
}
</section>
<section><h2>${team.invite}</h2>
<form class="inline" method="post" action="/account/team/invite">${formFields(visit)}
${inputField({ name: 'email', label: texts.email, type: 'email', autocomplete: 'off' })}
<label>${team.role}${roleSelect(visit, ROLES.find(({ name }) => name === 'member')?.id ?? '', team.role)}</label>
<button>${team.sendInvitation}</button></form></section>`
}

/** Only owners make somebody an owner. */
const roleSelect = ({ texts, person }: SignedInVisit, selectedId: string, label: string): Html =>
  html`<select name="role_id" aria-label="${label}">${ROLES.map(
    ({ id, name }) =>
      (name !== 'owner' || person.role === 'owner' || id === selectedId) &&
      html`<option value="${id}"${id === selectedId && html` selected`}>${texts.roles[name]}</option>`,
  )}</select>`

const rolesSection = ({ texts }: SignedInVisit): Html =>
  html`<section><h2>${texts.team.aboutRoles}</h2><ul class="rows">${ROLES.map(
    ({ name }) =>
      html`<li><span class="what"><strong>${texts.roles[name]}</strong><small>${texts.roleDescriptions[name]}</small></span></li>`,
  )}</ul></section>`
