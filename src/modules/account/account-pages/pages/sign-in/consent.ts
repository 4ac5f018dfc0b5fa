import { withAudit } from '../../../../../platform/audit/index.ts'
import { isRecent } from '../../../../../platform/http/pipeline/recent-sign-in.ts'
import { readCookie } from '../../../../../platform/http/server/cookies.ts'
import type { OrgId } from '../../../../../platform/ids/index.ts'
import { fill } from '../../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../../platform/text/html.ts'
import { listMemberships } from '../../../members/index.ts'
import {
  type AuthorizationRequest,
  allowedScopes,
  allowRequest,
  denyRequest,
  ENDPOINTS,
  findRequest,
  requestCookieOf,
} from '../../../oauth/index.ts'
import { scopesOf } from '../../../roles/index.ts'
import { AREAS, type Area } from '../../../scopes/index.ts'
import { personActor } from '../../../sessions/index.ts'
import { formFields } from '../../forms.ts'
import { notice, PATHS } from '../../layout.ts'
import type { AccountRequestServices } from '../../request-services.ts'
import type { Texts } from '../../texts.ts'
import type { AccountResponse, SignedInVisit } from '../../visit.ts'

type Membership = Awaited<ReturnType<typeof listMemberships>>[number]

/** An application asks to act for the person. */
export async function consentPage(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const found = await findAsked(services, visit)
  if (found === undefined) return notice(visit, 'invalidRequest', 404)
  if (!hasConfirmed(visit)) return confirmFirst(visit)
  const memberships = await listMemberships(services.database.read, visit.person.user_id)
  const chosen = visit.query.get('organisation') ?? visit.person.org_id
  const membership = memberships.find(({ org_id }) => org_id === chosen) ?? memberships[0]
  return membership === undefined
    ? {
        title: visit.texts.consent.applications,
        main: html`<p class="notice">${visit.texts.account.noOrganisation}</p>`,
      }
    : showRequest(visit, found.request, membership, memberships)
}

export async function decide(services: AccountRequestServices, visit: SignedInVisit): Promise<AccountResponse> {
  const { form, now, person, origin } = visit
  const found = await findAsked(services, visit)
  if (found === undefined) return notice(visit, 'invalidRequest', 404)
  const { id, request } = found
  const goOn = { goTo: `${ENDPOINTS.authorization}/${id}` }
  if (!form.has('allow')) {
    await services.database.write((tx) => denyRequest(tx, id, now))
    return goOn
  }
  if (!hasConfirmed(visit)) return confirmFirst(visit)
  const memberships = await listMemberships(services.database.read, person.user_id)
  const membership = memberships.find(({ org_id }) => org_id === form.get('organisation'))
  if (membership === undefined) return notice(visit, 'notAllowed', 403)
  const orgId = membership.org_id as OrgId
  const actor = personActor({ ...person, id: person.user_id }, origin)
  const isMember = await services.database.write(
    (tx) =>
      withAudit(tx, orgId, actor, now, () =>
        allowRequest(tx, id, request, { ...person, org_id: orgId }, now, services.cleanUpAfterGrant),
      ),
    orgId,
  )
  return isMember ? goOn : notice(visit, 'notAllowed', 403)
}

/** What an application may do outlasts the session, so a session that was left open or stolen is not enough. */
const hasConfirmed = ({ person, nowMs }: SignedInVisit): boolean => isRecent(person.authenticated_at, nowMs)

/** The page that asks for it does not get the cookie of the request, so it cannot send the form: the person decides again. */
const confirmFirst = ({ path }: SignedInVisit): AccountResponse => ({
  goTo: `${PATHS.confirm}?next=${encodeURIComponent(path)}`,
})

/**
 * The request that the address names, if it began in this browser. Otherwise somebody could start a request themselves,
 * send the person its address, and get a token for them.
 */
async function findAsked(
  { database, appUrl }: AccountRequestServices,
  { path, request, now }: SignedInVisit,
): Promise<{ id: string; request: AuthorizationRequest } | undefined> {
  const id = path.slice(PATHS.consent.length + 1)
  if (id === '' || readCookie(request.headers.cookie, requestCookieOf(appUrl)) !== id) return undefined
  const found = await findRequest(database.read, id, now)
  return found && { id, request: found }
}

function showRequest(
  visit: SignedInVisit,
  { clientName, redirectHost, redirectSource, scopes }: AuthorizationRequest,
  { org_id, name: organisation, role }: Membership,
  memberships: readonly Membership[],
): AccountResponse {
  const { texts, path, person } = visit
  const { consent } = texts
  const title = fill(consent.title, { application: clientName })
  const main = html`<h1>${title}</h1>
<p>${fill(consent.wants, { application: clientName, organisation })} ${fill(texts.invitation.asYou, { email: person.email })}</p>
<p class="notice">${fill(consent.unverified, { host: redirectHost })}</p>
${memberships.length > 1 && chooser(visit, org_id, memberships)}
<section>${permissions(texts, scopes, scopesOf(role))}
<form method="post" action="${path}">${formFields(visit)}
<input type="hidden" name="organisation" value="${org_id}">
<p class="muted">${fill(consent.later, { page: consent.applications })}</p>
<p class="inline"><button name="allow" value="1">${consent.allow}</button>
<button class="plain" name="deny" value="1">${consent.deny}</button></p></form></section>`
  return { title, main, formsLeadTo: redirectSource, hasOutsideText: true }
}

/** The page then says what the application may do in that organisation. */
const chooser = ({ texts, path }: SignedInVisit, current: string, memberships: readonly Membership[]): Html =>
  html`<form class="inline" method="get" action="${path}"><label>${texts.consent.organisation}
<select name="organisation">${memberships.map(
    ({ org_id, name }) => html`<option value="${org_id}"${org_id === current && html` selected`}>${name}</option>`,
  )}</select></label><button class="plain">${texts.consent.change}</button></form>`

/** What the application may do, in words: areas that it may change, areas that it may see, and what the role forbids. */
export function permissions(texts: Texts, scopes: readonly string[], ofRole: ReadonlySet<string>): Html {
  const { consent } = texts
  const allowed = allowedScopes(scopes, ofRole)
  const areasIn = (verb: string, within: ReadonlySet<string>) => AREAS.filter((area) => within.has(`${area}.${verb}`))
  const managed = areasIn('manage', allowed)
  const viewed = areasIn('view', allowed).filter((area) => !managed.includes(area))
  const refused = areasIn('manage', new Set(scopes)).filter((area) => !managed.includes(area))
  const list = (heading: string, areas: readonly Area[]) =>
    areas.length > 0 && html`<h2>${heading}</h2><ul>${areas.map((area) => html`<li>${consent.areas[area]}</li>`)}</ul>`
  return html`${list(consent.mayManage, managed)}${list(consent.mayView, viewed)}${list(consent.mayNot, refused)}`
}
