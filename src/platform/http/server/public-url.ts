import type { OrgId } from '../../ids/index.ts'

/** The URL that public addresses of an organisation begin with: its own domain, or that of the service. */
export type PublicUrlOf = (orgId: OrgId) => string | Promise<string>

/** Where a domain is reached: with the protocol and port of the service, which DNS does not know. */
export function domainUrl(publicUrl: string, domain: string): string {
  const url = new URL(publicUrl)
  url.hostname = domain
  return url.origin
}
