import type { CodeDomains } from '../../codes/qr-codes/index.ts'
import { listAllDomains } from '../custom-domains/index.ts'
import { selectRoutesAt } from './queries.ts'

/** Whether an address in a help centre can begin with this part. */
export type IsCentrePart = (part: string) => boolean

/** Tells codes about the domains of their organisation, and about what else they show. */
export const codeDomains = (isCentrePart: IsCentrePart): CodeDomains => ({
  list: listAllDomains,

  async findShown(db, orgId, parts) {
    const routes = await selectRoutesAt(db, orgId, [...parts, ''])
    return (domainId, part) =>
      routes.some(
        ({ domain_id, slug, type }) =>
          (domainId === null || domain_id === domainId) &&
          (slug === part || (slug === '' && type === 'kb' && isCentrePart(part))),
      )
  },
})
