import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = path.join(import.meta.dirname, 'migrations')
/** Number of the first migration to check; every installation applied the older ones long ago. */
const SINCE = '0050'
const files = readdirSync(folder).filter((file) => file.endsWith('.sql') && file >= SINCE)

type Words = readonly string[]
const RELATIONS = ['table', 'view', 'schema', 'sequence', 'type']
const RULES = ['check', 'unique', 'primary', 'foreign', 'exclude']

/** True if these words follow each other starting at `at`; an array matches any of its words. */
const matchesAt = (words: Words, at: number, ...form: readonly (string | readonly string[])[]) =>
  form.every((part, i) => [part].flat().includes(words[at + i] ?? ''))
const nameAt = (words: Words, at: number) =>
  words.slice(at).find((word) => !['only', 'if', 'exists', 'concurrently', 'function'].includes(word)) ?? ''
const placesOf = (words: Words, ...form: readonly (string | readonly string[])[]) =>
  words.flatMap((_, at) => (matchesAt(words, at, ...form) ? [at] : []))

const isAltered = (change: Words, ...form: readonly string[]) =>
  placesOf(change, 'alter').some((at) => matchesAt(change, at + (change[at + 1] === 'column' ? 3 : 2), ...form))
/** True if the change adds a required column for which existing rows and the previous version have no value. */
const wantsValue = (change: Words) =>
  placesOf(change, 'add', 'column').some((at) => {
    const end = change.findIndex(
      (word, i) => i > at && word === ',' && ['add', 'alter', 'drop'].includes(change[i + 1] ?? ''),
    )
    const column = change.slice(at, end === -1 ? undefined : end)
    return placesOf(column, 'not', 'null').length > 0 && !column.includes('default') && !column.includes('generated')
  })

/**
 * Returns the tables or functions that a statement alters in a way that removes or restricts something the previous
 * version reads or writes, because that version still runs during a rolling upgrade (decision 0136). A column may be
 * dropped one version after its last use.
 */
const inAltered =
  (isSo: (change: Words) => boolean, kinds: readonly string[] = ['table']) =>
  (words: Words) =>
    placesOf(words, 'alter', kinds)
      .filter((at) => isSo(words.slice(at + 2)))
      .map((at) => nameAt(words, at + 2))
const CONTRACTS: readonly (readonly [what: string, of: (words: Words) => string[]])[] = [
  [
    'drops a table',
    (words) => [
      ...placesOf(words, 'drop', RELATIONS).map((at) => nameAt(words, at + 2)),
      ...placesOf(words, 'drop', 'materialized', 'view').map((at) => nameAt(words, at + 3)),
    ],
  ],
  [
    'drops a function',
    (words) => placesOf(words, 'drop', ['function', 'procedure']).map((at) => nameAt(words, at + 2)),
  ],
  ['drops a column', inAltered((change) => placesOf(change, 'drop', 'column').length > 0)],
  ['drops a constraint', inAltered((change) => placesOf(change, 'drop', 'constraint').length > 0)],
  ['renames', inAltered((change) => change.includes('rename'), ['table', 'view', 'index', 'type'])],
  ['changes a type', inAltered((change) => isAltered(change, 'type') || isAltered(change, 'set', 'data', 'type'))],
  ['wants a value', inAltered((change) => isAltered(change, 'set', 'not', 'null'))],
  ['takes a default away', inAltered((change) => isAltered(change, 'drop', 'default'))],
  ['adds a column that wants a value', inAltered(wantsValue)],
  [
    'adds a rule',
    inAltered((change) =>
      placesOf(change, 'add').some((at) => matchesAt(change, at + (change[at + 1] === 'constraint' ? 3 : 1), RULES)),
    ),
  ],
  [
    'makes a column unique',
    (words) => placesOf(words, 'create', 'unique', 'index').map((at) => nameAt(words, words.indexOf('on', at + 3) + 1)),
  ],
  ['takes rights away', (words) => placesOf(words, 'revoke').map((at) => nameAt(words, words.indexOf('on', at) + 1))],
]

/** Breaking changes that are allowed, by file and table, with the reason why the previous version still works. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '0058_matches_move.sql drops a table: project_matches':
    'made anew under its name with other columns: a version for which all servers are stopped (decision 0092)',
  '0126_matches_in_64_partitions.sql renames: i':
    'partitions, which only the database names: every statement asks the table that they are of',
  '0126_matches_in_64_partitions.sql drops a table: i': 'a partition whose rows are in the new ones by then',
  '0073_filter_addresses.sql adds a rule: calendar_feeds':
    'of a column that the same migration adds: the version before writes its default, which keeps the rule',
  '0083_addresses_of_team_views.sql drops a constraint: calendar_feeds':
    'made anew in the same statement, and takes one value more',
  '0083_addresses_of_team_views.sql adds a rule: calendar_feeds':
    'of columns that it adds and of the value it takes more: rows of the version before have neither',
}

const withoutComments = (text: string) =>
  text
    .replace(/--.*$/gm, '')
    .split('/*')
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf('*/') + 2)))
    .join(' ')

/** Returns the breaking changes of a migration; tables that it creates itself are exempt. */
function contractsOf(migration: string): string[] {
  const text = withoutComments(migration)
  const made =
    /\bcreate\s+(?:or\s+replace\s+)?(?:unlogged\s+|temporary\s+)?(?:table|function)\s+(?:if\s+not\s+exists\s+)?(\w+)/gi
  const createdNames = new Set([...text.matchAll(made)].map(([, name]) => name!.toLowerCase()))
  const statements = text.split(';').map((statement): Words => statement.toLowerCase().match(/\w+|,/g) ?? [])
  return CONTRACTS.flatMap(([what, of]) =>
    statements
      .flatMap(of)
      // A migration may drop a table and create it again, so a dropped table existed before even if the migration
      // creates it.
      .filter((name) => what.startsWith('drops a table') || !createdNames.has(name))
      .map((name) => `${what}: ${name}`),
  )
}

describe('migrations and the previous version', () => {
  test.each(files)('%s breaks nothing that the previous version uses, or is listed as an exception', (file) => {
    const breakingChanges = contractsOf(readFileSync(path.join(folder, file), 'utf8')).map((what) => `${file} ${what}`)
    expect(breakingChanges.filter((what) => !(what in EXCEPTIONS))).toEqual([])
  })

  test('has no unused exception', () => {
    const breakingChanges = files.flatMap((file) =>
      contractsOf(readFileSync(path.join(folder, file), 'utf8')).map((what) => `${file} ${what}`),
    )
    expect(Object.keys(EXCEPTIONS).filter((what) => !breakingChanges.includes(what))).toEqual([])
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
  ])('detects the breaking change in %s', (statement, what) => {
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
  ])('accepts %s', (statement) => {
    expect(contractsOf(`${statement};`)).toEqual([])
  })
})
