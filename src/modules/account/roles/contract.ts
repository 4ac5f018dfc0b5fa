import { z } from 'zod'
import { choice, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { AREAS, type Area, NAMED_SCOPES } from '../scopes/contract.ts'

export const RoleName = choice({
  owner: 'May do everything, also delete the organisation.',
  admin: 'Manages everything, but not owners and not the organisation itself.',
  manager: 'Manages codes, pages, articles, chatbots and domains.',
  agent: 'Answers conversations and handles submissions.',
  member: 'Reads everything and changes nothing.',
}).meta({ examples: ['manager'] })
export type RoleName = z.infer<typeof RoleName>

export const Role = z
  .object({
    object: z.literal('role'),
    id: field.id,
    name: RoleName,
    permissions: z.array(z.string().meta({ examples: ['qr.view'] })).meta({
      description:
        'The scopes that members with this role have. `<area>.view` allows reading, `<area>.manage` everything. `codes.slugs` allows choosing the slugs of codes.',
      examples: [['qr.view', 'qr.manage', 'team.view']],
    }),
  })
  .meta({ id: 'Role', description: 'What a member of an organisation may do.' })
export type Role = z.infer<typeof Role>

/** What must be named for keys, people with these roles may do in their sessions. */
const HAVE_NAMED: readonly RoleName[] = ['owner', 'admin']

/** The areas that a role manages. Every role can view all areas. */
const MANAGES: Record<RoleName, readonly Area[]> = {
  owner: AREAS,
  admin: AREAS,
  manager: ['qr', 'objects', 'products', 'articles', 'knowledge_bases', 'pages', 'chatbots', 'domains'],
  agent: ['conversations', 'submissions'],
  member: [],
}

/** Roles are the same in every installation, and so are their ids. */
const IDS: Record<RoleName, string> = {
  owner: '019a7c00-0000-7000-8000-000000000001',
  admin: '019a7c00-0000-7000-8000-000000000002',
  manager: '019a7c00-0000-7000-8000-000000000003',
  agent: '019a7c00-0000-7000-8000-000000000004',
  member: '019a7c00-0000-7000-8000-000000000005',
}

/** Not an area: no key and no application can have it. */
const OWNERSHIP = 'ownership.manage'

const permissionsOf = (name: RoleName): string[] => [
  ...AREAS.flatMap((area) => [`${area}.view`, ...(MANAGES[name].includes(area) ? [`${area}.manage`] : [])]),
  ...(HAVE_NAMED.includes(name) ? NAMED_SCOPES : []),
  ...(name === 'owner' ? [OWNERSHIP] : []),
]

/** The most powerful first. */
export const ROLES: readonly Role[] = RoleName.options.map((name) => ({
  object: 'role',
  id: IDS[name],
  name,
  permissions: permissionsOf(name),
}))

export const roles = operations(
  {
    name: 'roles',
    title: 'Roles',
    about:
      'What members of an organisation may do. There are five: an **owner** may do everything; an **admin** everything except what concerns ownership; a **manager** manages codes, content, pages, chatbots and domains; an **agent** manages conversations and submissions; a **member** reads.',
    area: 'team',
  },
  {
    list: {
      method: 'GET',
      path: '/team/roles',
      summary: 'List roles',
      description: 'The most powerful first. The roles are the same in every organisation.',
      query: offsetQuery({}),
      offset: Role,
    },
  },
)
