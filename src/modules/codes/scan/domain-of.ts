/** The name of the custom domain that was scanned, of which `Resolved` has the address. Null on our own host. */
export const domainOf = (domainUrl: string | null): string | null =>
  domainUrl?.slice(domainUrl.lastIndexOf('/') + 1) ?? null
