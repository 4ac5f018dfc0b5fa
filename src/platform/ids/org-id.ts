declare const organisation: unique symbol

/** The tenant. A branded type and a parameter of every query, so that leaving it out is a type error. */
export type OrgId = string & { readonly [organisation]: true }
