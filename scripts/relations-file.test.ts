import { expect, test } from 'vitest'
import { relationsFile } from './relations-file.ts'

const DUMP = `
create table organisations (
  id uuid not null,
  constraint organisations_pkey PRIMARY KEY (id)
);

create table parts (
  id uuid not null,
  org_id uuid not null,
  thing_id uuid not null,
  name text,
  constraint parts_a_key FOREIGN KEY (thing_id) REFERENCES things(id) ON DELETE CASCADE,
  constraint parts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations(id),
  constraint parts_pkey PRIMARY KEY (id)
);
CREATE INDEX parts_name_idx ON parts USING btree (name, id) WHERE (name IS NOT NULL);
CREATE UNIQUE INDEX parts_thing_key ON parts USING btree (thing_id, name);
CREATE INDEX parts_thing_name_idx ON parts USING btree (thing_id, id DESC);
`

test('generates what tables refer to, and the first columns of indexes that have every row', () => {
  expect(relationsFile(DUMP)).toContain(`= {
  parts: {
    thing_id: 'things',
    org_id: 'organisations',
  },
}
`)
  expect(relationsFile(DUMP)).toContain(`= {
  organisations: ['id'],
  parts: ['id', 'thing_id'],
}
`)
})
