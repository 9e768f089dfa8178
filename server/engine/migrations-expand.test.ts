import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = path.join(import.meta.dirname, 'migrations')
/** From here on; what is older was taken by every installation long ago. */
const SINCE = '0050'
const files = readdirSync(folder).filter((file) => file.endsWith('.sql') && file >= SINCE)

/**
 * What takes away or tightens something that the version before, which goes on beside the new schema during a rolling upgrade, reads or writes (decision 0136). A column leaves in the version
 * after the one that stopped using it.
 */
const CONTRACTS: readonly (readonly [what: string, form: RegExp])[] = [
  ['drops a table', /\bdrop\s+(?:table|materialized\s+view|view|schema|sequence|type)\s+(?:if\s+exists\s+)?(\w+)/gi],
  ['drops a function', /\bdrop\s+(?:function|procedure)\s+(?:if\s+exists\s+)?(\w+)/gi],
  ['drops a column', /\balter\s+table\s+(?:only\s+)?(\w+)[^;]*?\bdrop\s+column\b/gi],
  ['drops a constraint', /\balter\s+table\s+(?:only\s+)?(\w+)[^;]*?\bdrop\s+constraint\b/gi],
  ['renames', /\balter\s+(?:table|view|index|type)\s+(?:only\s+)?(\w+)[^;]*?\brename\b/gi],
  [
    'changes a type',
    /\balter\s+table\s+(?:only\s+)?(\w+)[^;]*?\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/gi,
  ],
  ['wants a value', /\balter\s+table\s+(?:only\s+)?(\w+)[^;]*?\balter\s+(?:column\s+)?\w+\s+set\s+not\s+null\b/gi],
  ['takes a default away', /\balter\s+table\s+(?:only\s+)?(\w+)[^;]*?\balter\s+(?:column\s+)?\w+\s+drop\s+default\b/gi],
  [
    'adds a column that wants a value',
    /\balter\s+table\s+(?:only\s+)?(\w+)[^;]*?\badd\s+column\s+(?:(?!\bdefault\b|\bgenerated\b|,\s*add\b|;)[\s\S])*?\bnot\s+null\b(?![^,;]*\bdefault\b)/gi,
  ],
  [
    'adds a rule',
    /\balter\s+table\s+(?:only\s+)?(\w+)[^;]*?\badd\s+(?:constraint\s+\w+\s+)?(?:check|unique|primary\s+key|foreign\s+key|exclude)\b/gi,
  ],
  ['makes a column unique', /\bcreate\s+unique\s+index\s+(?:concurrently\s+)?\w+\s+on\s+(\w+)/gi],
  ['takes rights away', /\brevoke\b[^;]*?\bon\s+(?:function\s+)?(\w+)/gi],
]

/** By file and table, and why the version before goes on. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '0058_matches_move.sql drops a table: project_matches':
    'made anew under its name with other columns: a version for which all servers are stopped (decision 0092)',
  '0073_filter_addresses.sql adds a rule: calendar_feeds':
    'of a column that the same migration adds: the version before writes its default, which keeps the rule',
  '0083_addresses_of_team_views.sql drops a constraint: calendar_feeds':
    'made anew in the same statement, and takes one value more',
  '0083_addresses_of_team_views.sql adds a rule: calendar_feeds':
    'of columns that it adds and of the value it takes more: rows of the version before have neither',
}

const withoutComments = (text: string) => text.replace(/--.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')

/** What of it may break the version before: tables that it makes itself nobody knows yet. */
function contractsOf(migration: string): string[] {
  const text = withoutComments(migration)
  const made =
    /\bcreate\s+(?:or\s+replace\s+)?(?:unlogged\s+|temporary\s+)?(?:table|function)\s+(?:if\s+not\s+exists\s+)?(\w+)/gi
  const own = new Set([...text.matchAll(made)].map(([, name]) => name))
  return CONTRACTS.flatMap(([what, form]) =>
    [...text.matchAll(form)]
      // A table that is dropped and made anew was known before.
      .filter(([, name]) => what.startsWith('drops a table') || !own.has(name))
      .map(([, name]) => `${what}: ${name}`),
  )
}

describe('migrations and the version before', () => {
  test.each(files)('%s takes nothing away that it reads or writes, or says why that is none of its matter', (file) => {
    const found = contractsOf(readFileSync(path.join(folder, file), 'utf8')).map((what) => `${file} ${what}`)
    expect(found.filter((what) => !(what in EXCEPTIONS))).toEqual([])
  })

  test('no exception is left over', () => {
    const found = files.flatMap((file) =>
      contractsOf(readFileSync(path.join(folder, file), 'utf8')).map((what) => `${file} ${what}`),
    )
    expect(Object.keys(EXCEPTIONS).filter((what) => !found.includes(what))).toEqual([])
  })

  test.each([
    ['alter table users drop column nick', 'drops a column: users'],
    ['ALTER TABLE only users\n  rename column nick to name', 'renames: users'],
    ['drop table if exists users', 'drops a table: users'],
    ['alter table users alter column id type bigint', 'changes a type: users'],
    ['alter table users add column nick text not null', 'adds a column that wants a value: users'],
    ['alter table users alter nick set not null', 'wants a value: users'],
    ['alter table users add column a int, add constraint c check (a > 1)', 'adds a rule: users'],
    ['create unique index u on users (nick)', 'makes a column unique: users'],
    ["do $$ begin execute 'x'; drop function f; end $$", 'drops a function: f'],
  ])('%s would be found', (statement, what) => {
    expect(contractsOf(`${statement};`)).toEqual([what])
  })

  test.each([
    'alter table users add column nick text',
    "alter table users add column nick text not null default ''",
    "alter table users add column nick text default '' not null",
    'alter table users add column a int, add column b boolean not null default false',
    '-- drop table users\nselect 1',
    'create table t (a int not null); alter table t add constraint c check (a > 1); create unique index i on t (a)',
    'create index i on users (nick)',
  ])('%s is left alone', (statement) => {
    expect(contractsOf(`${statement};`)).toEqual([])
  })
})
