import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))
const isTest = (file: string) => /\.(?:test|spec)\.tsx?$/.test(file)
const RULES = Array.from({ length: 86 }, (_, at) => `R${at + 1}`)

type Row = { readonly rule: string; readonly held: readonly string[]; readonly shown: readonly string[] }

/** What stands between backticks in a cell and looks like a path. */
const pathsIn = (cell: string) =>
  [...cell.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!).filter((text) => /^[\w./-]+\.\w+$/.test(text))

function rowsOf(document: string): Row[] {
  const rows = document.split('\n').filter((line) => /^\| R\d/.test(line))
  return rows.map((line) => {
    const [, rule = '', , held = '', shown = ''] = line.split('|').map((cell) => cell.trim())
    return { rule, held: pathsIn(held), shown: pathsIn(shown) }
  })
}

/** Whether a test is about a rule: it stands in the title of a test or in a comment of the file. */
const speaksOf = (file: string, rule: string) => new RegExp(`\\b${rule}\\b`).test(read(file))

function complaintsOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ rule, held, shown }) => [
    ...(held.length === 0 ? [`${rule}: no file is named that holds it`] : []),
    ...(shown.some((file) => isTest(file) || file.startsWith('bench/'))
      ? []
      : [`${rule}: nothing is named that shows it`]),
    ...[...held, ...shown]
      .filter((file) => !existsSync(path.join(root, file)))
      .map((file) => `${rule}: ${file} is not there`),
    ...shown
      .filter((file) => existsSync(path.join(root, file)) && !speaksOf(file, rule))
      .map((file) => `${rule}: ${file} does not speak of it`),
  ])
}

describe('the register of trust rules, docs/security.md', () => {
  const rows = rowsOf(read('docs/security.md'))

  test('has one row for each rule, in their order', () => {
    expect(rows.map(({ rule }) => rule)).toEqual(RULES)
  })

  test('names files that are there, and tests that say which rule they are for', () => {
    expect(complaintsOf(rows)).toEqual([])
  })

  test('misses no test that names a rule', () => {
    const registered = new Map(rows.map(({ rule, shown }) => [rule, shown]))
    const others = files.filter((file) => isTest(file) && file !== 'test/project/trust-rules.test.ts')
    // Titles only: a comment may mention a rule in passing.
    const titles = others.flatMap((file) => {
      const lines = read(file)
        .split('\n')
        .filter((line) => /\b(?:test|describe)\b/.test(line) || /^\s+['"`]R\d/.test(line))
      return lines.flatMap((line) => [...line.matchAll(/\bR[1-9]\d?\b/g)].map(([rule]) => ({ file, rule })))
    })
    expect(titles.length).toBeGreaterThan(60)
    const missed = titles.filter(({ file, rule }) => !registered.get(rule)?.includes(file))
    expect([...new Set(missed.map(({ file, rule }) => `${rule}: ${file}`))]).toEqual([])
  })

  test('a row that has rotted is told', () => {
    const rotten =
      '| R1 | x | `server/nowhere.ts` | `test/project/conventions.test.ts` | – |\n| R2 | x | none | none | – |'
    expect(complaintsOf(rowsOf(rotten))).toEqual([
      'R1: server/nowhere.ts is not there',
      'R1: test/project/conventions.test.ts does not speak of it',
      'R2: no file is named that holds it',
      'R2: nothing is named that shows it',
    ])
  })
})

describe('R59: the trail of what happened', () => {
  const product = files.filter((file) => /^server\/.*\.ts$/.test(file) && !isTest(file))

  test('is only ever added to: no query of the product changes or removes a row', () => {
    const changing = /\b(?:update|delete\s+from|truncate)\s+(?:table\s+)?audit_events\b/i
    expect(changing.test('delete from audit_events')).toBe(true)
    expect(product.filter((file) => changing.test(read(file)))).toEqual([])
    // What a tenant's connection may do with it: the second wall.
    expect(read('server/platform/engine/migrations/0014_row_level_security.sql')).toMatch(
      /^grant insert on audit_events to tamngan_tenant;$/m,
    )
  })

  test('knows no event that no test has seen', () => {
    const kinds = read('server/account/usage-log/audit-events.ts')
      .split('readonly at: Date')[0]!
      .matchAll(/\| '(\w+)'/g)
    const tests = files.filter((file) => file.startsWith('server/') && isTest(file)).map(read)
    const unseen = [...kinds]
      .map(([, kind]) => kind!)
      .filter((kind) => !tests.some((text) => text.includes(`'${kind}'`)))
    expect(unseen).toEqual([])
  })
})
