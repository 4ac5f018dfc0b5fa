import { expect, test } from 'vitest'
import { TenancyGuard } from './tenancy.ts'

const TABLES = ['articles', 'events', 'scans', 'webhook_deliveries', 'webhook_endpoints', 'delivery_leases', 'api_keys']

function isViolation(sql: string): boolean {
  const guard = new TenancyGuard(TABLES)
  guard.observe(sql, [])
  return guard.violations.length > 0
}

test.each([
  'select "id" from "articles" where "slug" = $1',
  'select id from articles where slug = ?',
  'SELECT id FROM articles WHERE slug = ?',
  'select id\n  from\n  articles',
  'select * from public.articles',
  'select * from "public"."articles"',
  'select * from only articles',
  'select o.name from organisations o join articles a on a.id = o.article_id',
  'select "o"."name" from "organisations" as "o" left join "articles" on true',
  'select * from organisations o, articles a',
  'select * from organisations o join keyring k on true, articles a',
  'select * from (articles join organisations on true)',
  'select (select count(*) from articles) as total',
  'select 1 from organisations where id in (select org_id from articles)',
  'with due as (select id from webhook_deliveries) select * from due',
  'update articles set title = ? where id = ?',
  'update "articles" set "title" = $1 where "id" = $2',
  'update or ignore articles set title = ?',
  'update organisations set name = a.title from articles a',
  'delete from scans',
  'delete from "scans" where "id" = $1',
  'delete from organisations using articles where articles.id = organisations.id',
  'merge into organisations using articles on true when matched then do nothing',
])('reports a read or change without org_id: %s', (sql) => {
  expect(isViolation(sql)).toBe(true)
})

test.each([
  ['only selects it', 'select org_id, "org_id" from articles where id = ?'],
  ['only sets it', 'update articles set org_id = ? where id = ?'],
  ['only orders by it', 'select id from articles order by org_id'],
  ['only joins on it', 'select e.id from events e join webhook_endpoints w on w.org_id = e.org_id'],
  ['joins it with an id', 'select a.id from articles a join organisations o on o.id = a.org_id where a.slug = ?'],
  ['names it in a comment', 'select id from articles -- where org_id = ?\n where id = ?'],
  ['names it in a block comment', 'select id from articles /* where org_id = ? */ where id = ?'],
  ['names it in a string', "select id from articles where title = 'org_id = ?'"],
  ['compares it with another operator', 'select id from articles where org_id <> ?'],
  ['names another column', 'select id from articles where not_org_id = ? and org_id_2 = ?'],
])('reports a statement that %s', (_reason, sql) => {
  expect(isViolation(sql)).toBe(true)
})

test.each([
  'insert into articles (id, title) values (?, ?)',
  'insert into "articles" ("id", "title") values ($1, $2)',
  'insert or ignore into articles (id) values (?)',
  'insert into articles select * from imported',
  "insert into articles (id, title) values (?, 'org_id')",
  'insert into articles (id) select id from imported where org_id = ?',
  'with new as (select 1) insert into articles (id) select * from new',
])('reports an insert that does not name org_id: %s', (sql) => {
  expect(isViolation(sql)).toBe(true)
})

test('reports an insert that reads a tenant’s table without org_id', () => {
  expect(isViolation('insert into articles (id, org_id) select id, org_id from scans')).toBe(true)
  expect(isViolation('insert into articles (id, org_id) select id, org_id from scans where org_id = ?')).toBe(false)
})

test.each([
  'select "id" from "articles" where "org_id" = $1 and "slug" = $2',
  'select id from articles where org_id = ? and slug = ?',
  'select id from articles where id = ? and ? = org_id',
  'select a.id from articles a where (a.slug = ? and (a.org_id = ?))',
  'select e.id from events e join webhook_endpoints w on w.org_id = e.org_id where e.org_id = ?',
  'select id from articles where "org_id" in ($1, $2)',
  'select id from articles a join keyring k on a.org_id = ?',
  'update "articles" set "title" = $1 where "org_id" = $2 and "id" = $3',
  'delete from scans where org_id = ?',
  "select id from articles where org_id = '0197f3a2'",
  'insert into articles (id, org_id) values (?, ?)',
  'insert into "articles" ("org_id", "id") values ($1, $2) on conflict ("org_id") do update set "id" = $3',
  'insert into articles as a (org_id, id) values (?, ?)',
])('accepts a statement with org_id: %s', (sql) => {
  expect(isViolation(sql)).toBe(false)
})

test.each([
  ['no table', 'select 1'],
  ['begin', 'begin'],
  ['a table without tenants', 'select * from organisations where id = ?'],
  ['a column with the name of a table', 'select events, "articles" from organisations where scans = ?'],
  ['a qualified column', 'select o.events from organisations o where o.articles = 1 order by o.scans'],
  ['an alias', 'select name as events from organisations scans'],
  ['a column after "is distinct from"', 'select 1 from organisations where name is not distinct from events'],
  ['a column in extract()', 'select extract(year from events) from organisations'],
  ['a column in trim()', 'select trim(both from articles) from organisations'],
  ['a column after "set"', 'update organisations set events = ?, scans = ? where id = ?'],
  ['a column after "do update set"', 'insert into keyring (id) values (?) on conflict (id) do update set events = 1'],
  ['a list of columns after a comma', 'select id from organisations order by name, events, articles'],
  ['a string', "select * from organisations where name = 'x from articles'"],
  ['a string with a quote', "select * from organisations where name = 'it''s from articles'"],
  ['a comment', 'select * from organisations -- from articles'],
  ['a longer name', 'select * from articles_archive join my_events on true'],
  ['a function', 'select * from json_each(?) articles'],
  ['"for update"', 'select * from organisations for update'],
  ['a join with columns', 'select * from organisations join keyring using (events)'],
])('does not take %s for a tenant’s table', (_what, sql) => {
  expect(isViolation(sql)).toBe(false)
})

test('accepts the exempted statements, quoted and unquoted', () => {
  for (const sql of [
    'select "id" from "api_keys" where "id" = $1',
    'select k.id from api_keys k join organisations o on o.id = k.org_id where hash = ?',
    'delete from "delivery_leases"',
    'delete from scans where rowid in (select rowid from scans where created_at <= ? limit ?)',
    '\n  delete from "events" where ctid in (select ctid from "events" where "created_at" <= $1 limit $2)',
  ]) {
    expect(isViolation(sql), sql).toBe(false)
  }
  expect(isViolation('select id from api_keys where name = ?')).toBe(true)
})

test('records a repeated statement once', () => {
  const guard = new TenancyGuard(TABLES)
  for (let n = 0; n < 3; n++) guard.observe('delete from scans', [])
  expect(guard.violations).toEqual(['delete from scans'])
})
