import { z } from 'zod'
import { choice, cursorQuery, field, operations } from '../../../platform/contract/index.ts'

/** Who is responsible for something. */
export const Actor = z.object({
  type: choice({
    person: 'A person who was signed in.',
    api_key: 'A program with an API key.',
    application: 'An application that a person connected.',
    command_line: 'An operator, with the command line.',
    system: 'Waymark itself, for example after a deadline.',
  }).meta({ examples: ['person'] }),
  id: field.id.nullable().describe('Of the person, the API key or the connected application. Null for others.'),
  name: field.name(254).meta({ examples: ['Kim Berg'] }),
})

export const AuditLogEntry = z
  .object({
    object: z.literal('audit_log_entry'),
    id: field.id,
    action: z.string().meta({ description: 'What was done to the resource.', examples: ['qr_code.updated'] }),
    actor: Actor,
    resource: z.object({
      type: z.string().meta({ examples: ['qr_code'] }),
      id: field.id.nullable().describe('Null for an action on many resources.'),
      ids: z.array(field.id).nullable().describe('The resources of an action on many.'),
    }),
    changes: z
      .record(z.string(), z.object({ from: z.unknown(), to: z.unknown(), omitted: z.literal(true).optional() }))
      .nullable()
      .meta({
        description:
          'Each field with its value before and after. Long values are left out and marked as `omitted`. Null if no fields changed.',
        examples: [{ name: { from: 'Door sign', to: 'Gate sign' } }],
      }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'The IP address of the actor.', examples: ['203.0.113.7'] }),
    device: z
      .string()
      .nullable()
      .meta({ description: 'The browser or program.', examples: ['Firefox, Windows'] }),
    created_at: field.timestamp,
  })
  .meta({ id: 'AuditLogEntry', description: 'One change, and who made it.' })
export type AuditLogEntry = z.infer<typeof AuditLogEntry>

const FILTERS = {
  actor: field.id.optional().describe('Only what this person, API key or connected application did.'),
  action: field.text(1, 100).optional().describe('Only this action, such as `qr_code.updated`.'),
  resource: field.id.optional().describe('Only what was done to this resource.'),
  from: field.timestamp.optional().describe('Only entries at or after this time.'),
  to: field.timestamp.optional().describe('Only entries before this time.'),
}

export const auditLog = operations(
  {
    name: 'audit-log',
    noun: 'audit-log-entries',
    title: 'Audit log',
    about:
      'Who changed what, when, and from where. Written by the transaction that makes the change, and kept for 400 days. Only owners and admins can read it.',
    area: 'team',
  },
  {
    list: {
      method: 'GET',
      path: '/audit-log',
      summary: 'List audit log entries',
      description: 'Newest first.',
      needsManage: true,
      query: cursorQuery(FILTERS),
      cursor: AuditLogEntry,
    },
    export: {
      method: 'GET',
      path: '/audit-log/export.csv',
      summary: 'Export the audit log as CSV',
      description: 'The newest 10,000 entries that match. Use `from` and `to` for more.',
      needsManage: true,
      isAudited: true,
      query: z.strictObject(FILTERS),
      file: { 'text/csv': null },
    },
  },
)
