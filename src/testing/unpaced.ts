const AT_ANY_PACE = { atOnce: 1_000_000, perSecond: 1_000_000 }

/** All clients of a test or a benchmark have one address. */
export const UNPACED = {
  ...{ page: AT_ANY_PACE, form: AT_ANY_PACE, search: AT_ANY_PACE },
  ...{ authorisation: AT_ANY_PACE, token: AT_ANY_PACE },
}
