import { compiled, type Db, insertRows, type Row, type Tx, whenTaken } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

type RoleName = Row<'members'>['role']

const COLUMNS = [
  'members.id',
  'members.user_id',
  'members.role',
  'members.joined_at',
  'members.updated_at',
  'users.first_name',
  'users.last_name',
  'users.email',
] as const

const withUsers = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(COLUMNS)
    .where('members.org_id', '=', orgId)

export const selectMember = (db: Db, orgId: OrgId, id: string) =>
  withUsers(db, orgId).where('members.id', '=', id).executeTakeFirst()

export type MemberRow = NonNullable<Awaited<ReturnType<typeof selectMember>>>

export const selectMemberOf = (db: Db, orgId: OrgId, userId: string): Promise<MemberRow | undefined> =>
  withUsers(db, orgId).where('members.user_id', '=', userId).executeTakeFirst()

export const selectMemberByEmail = (db: Db, orgId: OrgId, emailFolded: string): Promise<MemberRow | undefined> =>
  withUsers(db, orgId).where('users.email_folded', '=', emailFolded).executeTakeFirst()

/** Newest first. */
export const selectMembers = compiled((db: Db, orgId: OrgId, limit: number, offset: number) =>
  withUsers(db, orgId).orderBy('members.joined_at', 'desc').orderBy('members.id', 'desc').limit(limit).offset(offset),
)

/** All organisations of one person. The one they joined first comes first. */
export const selectMemberships = (db: Db, userId: string) =>
  db
    .selectFrom('members')
    .innerJoin('organisations', 'organisations.id', 'members.org_id')
    .select(['members.id', 'members.org_id', 'members.role', 'organisations.name', 'organisations.slug'])
    .where('members.user_id', '=', userId)
    .orderBy('members.joined_at')
    .orderBy('members.id')
    .execute()

/** Includes their language, because they get mails. */
export const selectByRole = (
  db: Db,
  orgId: OrgId,
  roles: readonly RoleName[],
  limit: number,
  exceptUserId: string | null = null,
) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.email', 'users.language'])
    .where('members.org_id', '=', orgId)
    .where('members.role', 'in', [...roles])
    .where('users.deactivated_at', 'is', null)
    .$if(exceptUserId !== null, (query) => query.where('members.user_id', '!=', exceptUserId as string))
    .orderBy('members.joined_at')
    .orderBy('members.id')
    .limit(limit)
    .execute()

/** Those of these people who are members, with their language, for mails to them. */
export const selectRecipients = (db: Db, orgId: OrgId, userIds: readonly string[]) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.email', 'users.language'])
    .where('members.org_id', '=', orgId)
    .where('members.user_id', 'in', [...userIds])
    .where('users.deactivated_at', 'is', null)
    .orderBy('members.id')
    .execute()

/** Undefined if the address is not that of a member. */
export const selectRecipient = (db: Db, orgId: OrgId, email: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('members.id')
    .where('members.org_id', '=', orgId)
    .where('users.email', '=', email)
    .where('users.deactivated_at', 'is', null)
    .executeTakeFirst()

const owners = (db: Db, orgId: OrgId) =>
  db.selectFrom('members').select('members.id').where('members.org_id', '=', orgId).where('members.role', '=', 'owner')

export const selectOwner = (db: Db, orgId: OrgId): Promise<{ id: string } | undefined> =>
  owners(db, orgId).limit(1).executeTakeFirst()

/** Another owner than this one who can sign in. */
export const selectOtherOwner = (db: Db, orgId: OrgId, id: string): Promise<{ id: string } | undefined> =>
  owners(db, orgId)
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.id', '!=', id)
    .where('users.deactivated_at', 'is', null)
    .limit(1)
    .executeTakeFirst()

export const insertMember = (tx: Tx, orgId: OrgId, member: Omit<Row<'members'>, 'org_id'>): Promise<void> =>
  insertRows(
    tx,
    'members',
    [{ ...member, org_id: orgId }],
    whenTaken('members_org_user_key', 'user_id', member.user_id),
  )

export const updateRole = async (tx: Tx, orgId: OrgId, id: string, role: RoleName, now: string): Promise<void> => {
  await tx
    .updateTable('members')
    .set({ role, updated_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

export const deleteMemberRow = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('members').where('org_id', '=', orgId).where('id', '=', id).execute()
}
