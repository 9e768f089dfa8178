import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { REPORT_PARAMS } from '#contract/report/report-params.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const FIXTURE = path.join(import.meta.dirname, '../architecture-fixture')

/** Facts of a project and the current account. Every other domain may use them, so the drawing leaves them out. */
const BASE = ['catalogue', 'account'] as const

/**
 * Domains that each domain may import, the same in `contract/<domain>`, `server/<domain>` and `src/<domain>`. Only keys
 * above its own, so there is no cycle. A new edge needs an entry here with its reason.
 */
const DOMAINS = {
  catalogue: [],
  // A user has settings for the columns of the report.
  account: ['catalogue'],
  documents: [...BASE],
  // A watch word may also search documents.
  matching: [...BASE, 'documents'],
  // A row of the report shows why it matched, and one filter searches documents.
  report: [...BASE, 'documents', 'matching'],
  // Messages to users contain rows of the report.
  channels: [...BASE, 'report'],
  // A pursuit is a row of the report with an owner and files; a stage that changes is a webhook event.
  team: [...BASE, 'documents', 'report', 'channels'],
  // "Who wins" starts from the result of a report; an agency page lists the team's pursuits at that agency; a first
  // watch list is learned from what a company won.
  market: [...BASE, 'matching', 'report', 'team'],
  // Operators approve words, check facts and watch the channels.
  operation: [...BASE, 'documents', 'matching', 'channels'],
} as const satisfies Record<string, readonly string[]>
type Domain = keyof typeof DOMAINS
const DOMAIN = Object.keys(DOMAINS).join('|')

/**
 * Floors of the product; a lower number is a lower floor. A file imports from its own module and from lower floors.
 * From another module of its floor it imports only where `DOMAINS` allows it.
 */
const FLOORS: readonly (readonly [room: RegExp, floor: number])[] = [
  [/^contract\/(?:thai|search|http)\//, 0],
  [/^contract\/[^/]+$/, 0],
  [new RegExp(`^contract/(?:${DOMAIN})/`), 1],
  [/^src\/lib\//, 2],
  [/^src\/(?:ui|api|worker)\//, 3],
  [new RegExp(`^src/(?:${DOMAIN})/pages/`), 6],
  [new RegExp(`^src/(?:${DOMAIN})/`), 4],
  [/^src\/shell\//, 5],
  [/^src\/routes\//, 7],
  [/^src\/app\//, 8],
  [/^src\/main\.tsx$/, 9],
  [/^server\/platform\/engine\//, 10],
  [/^server\/platform\/(?:queue|mail|outgoing|text|workbook)\//, 11],
  [/^server\/platform\/route\//, 12],
  [new RegExp(`^server/(?:${DOMAIN})/`), 13],
  [/^server\/(?:http|jobs|cli)\//, 14],
  [/^sample\//, 15],
  [/^server\/(?=main\.ts$|start\/)/, 16],
]
const SHARED_CONTRACT = 0

/** Packages inside a domain: other folders import only the one file of the second column. */
const PACKAGES: readonly (readonly [folder: string, door: string])[] = [
  ['server/report/engine/', 'server/report/engine/report-memory.ts'],
  ['server/report/filter/', 'server/report/filter/report-filters.ts'],
  ['server/report/sql/', 'server/report/sql/sql-report-engine.ts'],
]
const PAGES = 6

const IMPORT = /(?:from\s+|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g
const STATIC_IMPORT = /(?:from\s+|import\s+)['"]([^'"]+)['"]/g
const TOWERS = ['contract', 'src', 'server', 'sample'] as const

type Module = { readonly floor: number; readonly name: string; readonly domain: Domain | undefined }

function moduleOf(file: string): Module | undefined {
  for (const [pattern, floor] of FLOORS) {
    const match = pattern.exec(file)
    if (!match) continue
    const [, domain] = new RegExp(`^(?:contract|src|server)/(${DOMAIN})/`).exec(file) ?? []
    return { floor, name: floor === SHARED_CONTRACT ? 'contract' : match[0], domain: domain as Domain | undefined }
  }
  return undefined
}

function* filesUnder(dir: string): Generator<string> {
  for (const name of readdirSync(dir)) {
    const full = path.join(dir, name)
    if (statSync(full).isDirectory()) yield* filesUnder(full)
    else if (/\.tsx?$/.test(name) && !/(?:\.(?:test|gen|d)|-for-tests)\.tsx?$/.test(name)) yield full
  }
}

function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  return undefined
}

const inBrowser = (floor: number) => floor > 1 && floor < 10
const mayImport = (from: Domain, to: Domain) => from === to || (DOMAINS[from] as readonly Domain[]).includes(to)

function complaint(file: string, specifier: string): string | undefined {
  const target = targetOf(file, specifier)
  if (!target || /\.css$/.test(target)) return undefined
  const here = moduleOf(file)!
  const there = moduleOf(target)
  if (!there) return `${file} -> ${specifier}: target lives on no floor`
  if (there.floor > here.floor) return `${file} -> ${specifier}: climbs from ${here.floor} to ${there.floor}`
  if (there.floor > 1 && inBrowser(there.floor) !== inBrowser(here.floor))
    return `${file} -> ${specifier}: crosses the network`
  for (const [folder, door] of PACKAGES)
    if (target.startsWith(folder) && target !== door && !file.startsWith(folder))
      return `${file} -> ${specifier}: bypasses ${door}`
  const isSameFloor = there.floor === here.floor && here.name !== there.name
  if (isSameFloor && (here.floor === PAGES || !here.domain)) return `${file} -> ${specifier}: reaches into a neighbour`
  // A page may use every domain, because only the router loads it and no other file imports it.
  if (here.floor !== PAGES && here.domain && there.domain && !mayImport(here.domain, there.domain))
    return `${file} -> ${specifier}: ${here.domain} does not know ${there.domain}`
  return undefined
}

function violationsUnder(root: string): string[] {
  const violations: string[] = []
  for (const tower of TOWERS) {
    if (!existsSync(path.join(root, tower))) continue
    for (const full of filesUnder(path.join(root, tower))) {
      const file = path.relative(root, full).split(path.sep).join('/')
      if (!moduleOf(file)) violations.push(`${file}: lives on no floor`)
      else
        for (const [, specifier] of readFileSync(full, 'utf8').matchAll(IMPORT))
          violations.push(...[complaint(file, specifier!)].filter((text) => text !== undefined))
    }
  }
  return violations.sort((a, b) => (a < b ? -1 : 1))
}

test('allows only downward imports, and between domains only those of the table', () => {
  expect(violationsUnder(ROOT)).toEqual([])
})

test('lets a domain import only domains above it in the table', () => {
  const order = Object.keys(DOMAINS)
  for (const [domain, allowed] of Object.entries(DOMAINS))
    for (const dependency of allowed)
      expect(order.indexOf(dependency), `${domain} -> ${dependency}`).toBeLessThan(order.indexOf(domain))
})

test('the report engine receives its filters and imports none', () => {
  const imported = Object.entries(importGraph(ROOT)).filter(
    ([file, targets]) =>
      file.startsWith('server/report/engine/') && targets.some((target) => target.startsWith('server/report/filter/')),
  )
  expect(imported).toEqual([])
})

test('the report engine names no filter', () => {
  const filters = REPORT_PARAMS.filter((param) => !('role' in param)).map(({ name }) => name)
  const files = [...filesUnder(path.join(ROOT, 'server/report/engine'))]
  const named = files.flatMap((file) => {
    const words = new Set(readFileSync(file, 'utf8').split(/\W+/))
    return filters.filter((name) => words.has(name)).map((name) => `${path.basename(file)}: ${name}`)
  })
  expect(named).toEqual([])
  expect(filters.length).toBeGreaterThan(30)
})

test('the report engine, its rooms and the files beside them have few imports between them, on few floors', () => {
  const isInRooms = (file: string) => /^server\/report\/(?:(?:engine|filter|sql)\/)?[^/]+$/.test(file)
  const graph = Object.entries(importGraph(ROOT))
    .filter(([file]) => isInRooms(file))
    .map(([file, targets]) => [file, [...new Set(targets.filter(isInRooms))]] as const)
  const targetsOf = new Map(graph)
  const floorOf = (file: string): number => 1 + Math.max(0, ...targetsOf.get(file)!.map(floorOf))
  expect(graph.length).toBeGreaterThan(20)
  expect(graph.flatMap(([, targets]) => targets).length).toBeLessThanOrEqual(90)
  expect(Math.max(...graph.map(([file]) => floorOf(file)))).toBeLessThanOrEqual(6)
})

test('contract imports nothing but zod and itself', () => {
  const foreign: string[] = []
  for (const file of filesUnder(path.join(ROOT, 'contract'))) {
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (!/^\.\.?\//.test(specifier!) && specifier !== 'zod/mini')
        foreign.push(`${path.basename(file)} -> ${specifier}`)
    }
  }
  expect(foreign).toEqual([])
})

test('reports a planted violation of each kind', () => {
  expect(violationsUnder(FIXTURE)).toEqual([
    'server/catalogue/load.ts -> #server/matching/match.ts: catalogue does not know matching',
    'server/http/app.ts -> #src/lib/date.ts: crosses the network',
    'server/jobs/load.ts -> #server/http/app.ts: reaches into a neighbour',
    'server/report/page.ts -> ./engine/columns.ts: bypasses server/report/engine/report-memory.ts',
    'src/api/projects.ts -> #server/platform/engine/db.ts: climbs from 3 to 10',
    'src/helpers/date.ts: lives on no floor',
    'src/lib/date.ts -> ../ui/button.ts: climbs from 2 to 3',
    'src/report/pages/report/row.ts -> #src/team/pages/board/board-page.ts: reaches into a neighbour',
    'src/report/star.ts -> ./pages/report/row.ts: climbs from 4 to 6',
    'src/ui/button.ts -> #src/helpers/date.ts: target lives on no floor',
  ])
})

type Graph = Readonly<Record<string, readonly string[]>>

function cycleIn(graph: Graph): string[] | undefined {
  const done = new Set<string>()
  const walk = (name: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const next of graph[name] ?? []) {
      const cycle = walk(next, [...way, name])
      if (cycle) return cycle
    }
    done.add(name)
    return undefined
  }
  for (const name of Object.keys(graph).sort((a, b) => (a < b ? -1 : 1))) {
    const cycle = walk(name, [])
    if (cycle) return cycle
  }
  return undefined
}

/**
 * Maps each product file to the files it imports, including `import()` and type imports; paths are relative to the
 * root.
 */
function importGraph(root: string, imports = IMPORT): Record<string, string[]> {
  const graph: Record<string, string[]> = {}
  for (const tower of TOWERS) {
    if (!existsSync(path.join(root, tower))) continue
    for (const full of filesUnder(path.join(root, tower))) {
      const file = path.relative(root, full).split(path.sep).join('/')
      const specifiers = [...readFileSync(full, 'utf8').matchAll(imports)].map(([, specifier]) => specifier!)
      graph[file] = specifiers.flatMap((specifier) => targetOf(file, specifier) ?? [])
    }
  }
  return graph
}

test('every edge of the table is used', () => {
  const used = new Set<string>()
  for (const [file, targets] of Object.entries(importGraph(ROOT)))
    for (const target of targets) used.add(`${moduleOf(file)?.domain} ${moduleOf(target)?.domain}`)
  const edges = Object.entries(DOMAINS).flatMap(([domain, allowed]) =>
    allowed.map((dependency) => `${domain} ${dependency}`),
  )
  expect(edges.filter((edge) => !used.has(edge))).toEqual([])
})

test('no cycle of static imports, types included', () => {
  expect(cycleIn(importGraph(ROOT, STATIC_IMPORT))).toBeUndefined()
  // The fixture has one import cycle of types and one that `import()` breaks.
  expect(cycleIn(importGraph(FIXTURE, STATIC_IMPORT))).toEqual([
    'src/report/pages/report/cell.ts',
    'src/report/pages/report/row.ts',
    'src/report/pages/report/cell.ts',
  ])
})

const architecture = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8')

test('matches the drawing in docs/architecture.md', () => {
  const drawn = [...architecture.matchAll(/^```mermaid\n([\s\S]*?)```/gm)].map(([, text]) => text)
  const edges = Object.entries(DOMAINS)
    .map(([domain, allowed]) => [domain, allowed.slice(BASE.length)] as const)
    .filter(([, allowed]) => allowed.length > 0)
    .map(([domain, allowed]) => `  ${domain} --> ${allowed.join(' & ')}\n`)
  expect(drawn).toEqual([`flowchart BT\n${edges.join('')}`])
})

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  return [...text.matchAll(IMPORT)]
    .map(([, specifier]) => targetOf(file, specifier!))
    .filter((target) => target !== undefined)
}

function strayFiles(walk: string): string[] {
  const files = [...walk.matchAll(/`((?:contract|src|server)\/[\w./-]+\.tsx?)`/g)].map(([, file]) => file!)
  const edges = files.flatMap((file) => importsOf(file).map((target) => [file, target] as const))
  return files.filter(
    (file) =>
      !edges.some(([from, to]) => (from === file && files.includes(to)) || (to === file && files.includes(from))),
  )
}

test('links each file of a walk in docs/architecture.md to another one of it', () => {
  const walks = architecture.split(/^##+ /m).filter((part) => part.startsWith('Walk: '))
  expect(walks).toHaveLength(3)
  const tables = walks.map((walk) =>
    walk
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .join('\n'),
  )
  expect(tables.flatMap(strayFiles)).toEqual([])
  expect(strayFiles('`src/lib/session-store.ts` `contract/screen.ts`')).toHaveLength(2)
})
