import type { OrgId } from '../../ids/index.ts'

/** The URL that public addresses of an organisation begin with: its own domain, or that of the service. */
export type PublicUrlOf = (orgId: OrgId) => string | Promise<string>
