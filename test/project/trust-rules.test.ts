import { describe, expect, test } from 'vitest'
import { findFileByShortName, PROJECT_FILES, readProjectFile } from './project-files.ts'

const isTest = (file: string) => /\.(?:test|spec)\.tsx?$/.test(file)
const RULES = Array.from({ length: 86 }, (_, at) => `R${at + 1}`)

type Row = { readonly rule: string; readonly code: readonly string[]; readonly tests: readonly string[] }

const namesIn = (cell: string) => [...cell.matchAll(/`([^`\n]+)`/g)].map(([, name]) => name!)

function rowsOf(document: string): Row[] {
  const rows = document.split('\n').filter((line) => /^\| R\d/.test(line))
  return rows.map((line) => {
    const [, rule = '', , code = '', tests = ''] = line.split('|').map((cell) => cell.trim())
    return { rule, code: namesIn(code), tests: namesIn(tests) }
  })
}

const cites = (file: string, rule: string) => new RegExp(`\\b${rule}\\b`).test(readProjectFile(file))

function complaintsOf(rows: readonly Row[]): string[] {
  return rows.flatMap(({ rule, code, tests }) => {
    const citingFiles = tests.map(findFileByShortName).filter((file) => file !== undefined)
    return [
      ...(code.length === 0 ? [`${rule}: names no code`] : []),
      ...(citingFiles.some((file) => isTest(file) || file.startsWith('bench/')) ? [] : [`${rule}: names no test`]),
      ...[...code, ...tests]
        .filter((name) => findFileByShortName(name) === undefined)
        .map((name) => `${rule}: ${name} is not one file`),
      ...citingFiles.filter((file) => !cites(file, rule)).map((file) => `${rule}: ${file} does not cite it`),
    ]
  })
}

describe('trust rules in docs/security.md', () => {
  const rows = rowsOf(readProjectFile('docs/security.md'))

  test('has one row for each rule, in their order', () => {
    expect(rows.map(({ rule }) => rule)).toEqual(RULES)
  })

  test('names files that exist, and tests that cite the rule', () => {
    expect(complaintsOf(rows)).toEqual([])
  })

  test('misses no test that names a rule', () => {
    const registered = new Map(rows.map(({ rule, tests }) => [rule, tests.map(findFileByShortName)]))
    const otherTests = PROJECT_FILES.filter((file) => isTest(file) && file !== 'test/project/trust-rules.test.ts')
    // Only test titles count, because a comment may mention a rule in passing.
    const titles = otherTests.flatMap((file) => {
      const lines = readProjectFile(file)
        .split('\n')
        .filter((line) => /\b(?:test|describe)\b/.test(line) || /^\s+['"`]R\d/.test(line))
      return lines.flatMap((line) => [...line.matchAll(/\bR[1-9]\d?\b/g)].map(([rule]) => ({ file, rule })))
    })
    expect(titles.length).toBeGreaterThan(60)
    const missed = titles.filter(({ file, rule }) => !registered.get(rule)?.includes(file))
    expect([...new Set(missed.map(({ file, rule }) => `${rule}: ${file}`))]).toEqual([])
  })

  test('reports a stale row', () => {
    const stale = '| R1 | x | `nowhere.ts` `routes.ts` | `conventions` | – |\n| R2 | x | none | none | – |'
    expect(complaintsOf(rowsOf(stale))).toEqual([
      'R1: nowhere.ts is not one file',
      'R1: routes.ts is not one file',
      'R1: test/project/conventions.test.ts does not cite it',
      'R2: names no code',
      'R2: names no test',
    ])
  })
})

describe('R59: the audit log', () => {
  const product = PROJECT_FILES.filter((file) => /^server\/.*\.ts$/.test(file) && !isTest(file))

  test('is append-only: no query updates or deletes a row', () => {
    const changing = /\b(?:update|delete\s+from|truncate)\s+(?:table\s+)?audit_events\b/i
    expect(changing.test('delete from audit_events')).toBe(true)
    expect(product.filter((file) => changing.test(readProjectFile(file)))).toEqual([])
    // The tenant role may only insert audit events.
    expect(readProjectFile('server/platform/engine/migrations/0014_row_level_security.sql')).toMatch(
      /^grant insert on audit_events to tamngan_tenant;$/m,
    )
  })

  test('every event kind appears in a test', () => {
    const kinds = readProjectFile('server/account/usage-log/audit-events.ts')
      .split('readonly at: Date')[0]!
      .matchAll(/\| '(\w+)'/g)
    const tests = PROJECT_FILES.filter((file) => file.startsWith('server/') && isTest(file)).map(readProjectFile)
    const unseen = [...kinds]
      .map(([, kind]) => kind!)
      .filter((kind) => !tests.some((text) => text.includes(`'${kind}'`)))
    expect(unseen).toEqual([])
  })
})
