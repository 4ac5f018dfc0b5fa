import type { Database, Db } from '../../../platform/db/index.ts'
import { hashToken } from '../../../platform/ids/index.ts'
import type { AddressProofs } from '../address-proofs/index.ts'
import { hasFactors, type Tickets } from '../factors/index.ts'
import { findUser, type User } from '../users/index.ts'

/** What people may have to do after the password before they are signed in, and who has to. Each step has a page. */
const STEPS = {
  address_step: (_db: Db, addresses: AddressProofs, person: Person) => addresses.isNeeded(person),
  second_step: (db: Db, _addresses: AddressProofs, { id }: Person) => hasFactors(db, id),
}

export type SignInStep = keyof typeof STEPS

type Person = Pick<User, 'id' | 'password_hash' | 'email_confirmed_at'>

export interface StepServices {
  tickets: Tickets
  addresses: AddressProofs
}

/** The password was right, and the browser may go on to this step. */
export interface NextStep {
  kind: 'next_step'
  step: SignInStep
  ticket: string
}

/** The first step that the person has to take. Undefined if the password is enough. */
export async function findNextStep(
  db: Db,
  { tickets, addresses }: StepServices,
  person: Person,
  browser: string,
  nowMs: number,
): Promise<NextStep | undefined> {
  for (const step of Object.keys(STEPS) as SignInStep[]) {
    if (!(await STEPS[step](db, addresses, person))) continue
    const data = fingerprint(person.password_hash)
    return { kind: 'next_step', step, ticket: tickets.issue(step, { userId: person.id, browser, data }, nowMs) }
  }
  return undefined
}

/** The person who may take the step. Undefined if it took too long, or if their password has changed since. */
export async function findPersonAt(
  step: SignInStep,
  tickets: Tickets,
  { read }: Database,
  sealed: string,
  browser: string,
  nowMs: number,
): Promise<User | undefined> {
  const ticket = await tickets.read(step, sealed, browser, nowMs)
  const user = ticket && (await findUser(read, ticket.userId as string))
  return user !== undefined && user.deactivated_at === null && ticket?.data === fingerprint(user.password_hash)
    ? user
    : undefined
}

const fingerprint = (passwordHash: string | null): string => hashToken(passwordHash ?? '')
