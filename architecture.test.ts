import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/**
 * The drawing of docs/architecture.md, executed. Lower number = lower floor. A file may import from the floors below its own and from
 * its own room. `alone` rooms import a room of the same floor only along FEATURE_GRAPH.
 */
const FLOORS: readonly (readonly [room: RegExp, floor: number, alone?: 'alone'])[] = [
  [/^contract\//, 0],
  [/^src\/lib\//, 1],
  [/^src\/(ui|api|worker)\//, 2, 'alone'],
  [/^src\/features\/([^/]+)\//, 3, 'alone'],
  [/^src\/pages\/([^/]+)\//, 4, 'alone'],
  [/^src\/routes\//, 5],
  [/^src\/app\//, 6],
  [/^src\/main\.tsx$/, 7],
  [/^server\/engine\//, 10],
  [/^server\/(queue|mail|outgoing|text|meaning|workbook)\//, 11, 'alone'],
  [/^server\/route\//, 12],
  [/^server\/features\/([^/]+)\//, 13, 'alone'],
  [/^server\/(http|jobs|cli)\//, 14, 'alone'],
  [/^server\/(main\.ts$|start\/)/, 15],
]

/**
 * Which feature may import which: a graph without circles. A new edge is a line here, with its reason.
 * Rooms that are not named import no neighbour.
 */
const FEATURE_GRAPH: Readonly<Record<string, readonly string[]>> = {
  // The operator's commands change what these features own.
  'server/features/admin/': [
    'server/features/account-notice/',
    'server/features/document/',
    'server/features/keyword-impact/',
    'server/features/matching/',
    'server/features/member/',
    'server/features/organisation/',
    'server/features/password/',
    'server/features/second-factor/',
    'server/features/standing-access/',
    'server/features/usage-log/',
  ],
  // Its figures are counted as ใครชนะ counts; beside them stand our pursuits and the body of the annual budget. Files that are taken home are audited.
  'server/features/agency/': [
    'server/features/budget/',
    'server/features/company/',
    'server/features/pursuit/',
    'server/features/usage-log/',
    'server/features/who-wins/',
  ],
  // A key is told to the super users and its maker, and audited; who calls has a session or a key.
  'server/features/api-key/': [
    'server/features/account-notice/',
    'server/features/session/',
    'server/features/usage-log/',
  ],
  // An item of the live feed says what an item of a saved file says.
  'server/features/announcement/': ['server/features/feed/'],
  // Visitors of the demo see the sample alone; confirmed links are audited.
  'server/features/budget/': ['server/features/demo/', 'server/features/usage-log/'],
  // Its projects are those of the report, by a search or by stars; addresses that are made and revoked are audited.
  'server/features/calendar/': [
    'server/features/account-notice/',
    'server/features/report/',
    'server/features/report-export/',
    'server/features/usage-log/',
  ],
  // Who may be told is who may be notified; a morning is counted as the report mail counts.
  'server/features/channel/': ['server/features/notification/', 'server/features/report-mail/'],
  // Facts are what a load wrote of a project; files that are taken home are audited; projects are numbered in memory as the report numbers them.
  'server/features/company/': [
    'server/features/demo/',
    'server/features/feed/',
    'server/features/report/',
    'server/features/usage-log/',
  ],
  // A comparison counts as the company pages count, over the same scope.
  'server/features/company-comparison/': [
    'server/features/company/',
    'server/features/demo/',
    'server/features/usage-log/',
  ],
  // Contracts are those of the report's projects, what was bought before is what a project's page says; news go out by the mail of what is followed.
  'server/features/contract-end/': [
    'server/features/demo/',
    'server/features/follow/',
    'server/features/project/',
    'server/features/report/',
  ],
  // Each change of a list asks for a matching.
  'server/features/keyword/': [
    'server/features/matching/',
    'server/features/organisation/',
    'server/features/usage-log/',
  ],
  // What is added and taken away is audited; what documents want is held against what the organisation brings.
  'server/features/document/': ['server/features/qualification/', 'server/features/usage-log/'],
  // The addresses are told, and each step is audited.
  'server/features/email-change/': ['server/features/account-notice/', 'server/features/usage-log/'],
  // A relative of a followed project is what its page says is one.
  'server/features/follow/': ['server/features/project/'],
  // The impact of words is what the matching would do with them; the demo is told of the sample alone.
  'server/features/keyword-impact/': [
    'server/features/demo/',
    'server/features/keyword/',
    'server/features/matching/',
    'server/features/usage-log/',
  ],
  // Answers of the feed are read as files of it are; no source begins while the sample is in.
  'server/features/intake/': ['server/features/demo/', 'server/features/feed/'],
  // It is a channel; buttons mark as the report does and answer the morning queue; who may be told is who gets notifications; connections are audited.
  'server/features/line/': [
    'server/features/account-notice/',
    'server/features/channel/',
    'server/features/morning-queue/',
    'server/features/notification/',
    'server/features/usage-log/',
    'server/features/user/',
  ],
  'server/features/matching/': ['server/features/demo/'],
  // Operators do at their screens what the commands do.
  'server/features/operation/': [
    'server/features/admin/',
    // How each channel does.
    'server/features/channel/',
    'server/features/document/',
    'server/features/intake/',
    // How many messages of the month are left.
    'server/features/line/',
  ],
  // An invitation makes a user with a password of their own and signs them in; a closed account has no session.
  'server/features/member/': [
    // Whose role changes is told, and the super users of another one.
    'server/features/account-notice/',
    // Super users are told who asks to be let in.
    'server/features/notification/',
    'server/features/organisation/',
    'server/features/password/',
    // Open pursuits of a closed account go to a colleague.
    'server/features/pursuit/',
    // Super users see who has a second factor.
    'server/features/second-factor/',
    'server/features/session/',
    // Access ends with the account or the right it came from.
    'server/features/standing-access/',
    'server/features/usage-log/',
  ],
  // It ends in a session or makes the account of an invitation, whose seats are counted; owners and super users are told, and all of it is audited.
  'server/features/organisation-login/': [
    'server/features/account-notice/',
    'server/features/member/',
    'server/features/session/',
    'server/features/usage-log/',
  ],
  // A new password ends the other sessions and is told; who holds a session is shown by the password or the second factor.
  'server/features/password/': [
    'server/features/account-notice/',
    'server/features/second-factor/',
    'server/features/session/',
    'server/features/standing-access/',
    'server/features/usage-log/',
  ],
  // Each change of it is told to the owner and audited.
  'server/features/second-factor/': ['server/features/account-notice/', 'server/features/usage-log/'],
  // The queue is a walk through the rows of the report.
  'server/features/morning-queue/': ['server/features/report/'],
  // The page of a project shows the same row as the report, word for word; what makes it comparable comes from what a load wrote.
  'server/features/project/': [
    'server/features/demo/',
    'server/features/feed/',
    'server/features/intake/',
    'server/features/report/',
  ],
  // A board of a filter holds what the report finds; changed settings are audited.
  // Files at notes lie in the store of documents.
  // A stage that moves is told to webhooks in the same transaction.
  'server/features/pursuit/': [
    'server/features/document/',
    'server/features/report/',
    'server/features/usage-log/',
    'server/features/webhook-event/',
  ],
  // A sender of channels; its buttons are the links of report mails, its devices are called as sessions are.
  'server/features/push/': ['server/features/channel/', 'server/features/report-mail/', 'server/features/session/'],
  'server/features/qualification/': ['server/features/usage-log/'],
  // What a search by meaning found is kept until a matching has changed it.
  // It says when its sources were last asked.
  // A filter of it looks into documents.
  'server/features/report/': ['server/features/document/', 'server/features/intake/', 'server/features/matching/'],
  // Results are counted from pursuits, under the organisation's rule about its prices; files that are taken home are audited.
  'server/features/results/': ['server/features/pursuit/', 'server/features/usage-log/'],
  // Which projects a shared filter finds is the report's to say. Who holds the session is asked before a webhook moves; it is told to the super users and audited.
  'server/features/webhook/': [
    'server/features/account-notice/',
    'server/features/report/',
    'server/features/second-factor/',
    'server/features/usage-log/',
    'server/features/webhook-event/',
  ],
  // Who has just registered is signed in; who finds their organisation there asks to be let in.
  'server/features/registration/': [
    'server/features/member/',
    'server/features/organisation/',
    'server/features/session/',
    'server/features/usage-log/',
  ],
  // A file holds the rows of the report; for all of them at once the caller shows who they are.
  'server/features/report-export/': [
    'server/features/report/',
    'server/features/second-factor/',
    'server/features/usage-log/',
  ],
  // A mail holds rows of the report; its links change marks as the user would.
  'server/features/report-mail/': [
    'server/features/report/',
    // A link ends the mails about saved questions.
    'server/features/saved-question/',
    'server/features/user/',
  ],
  'server/features/sample-account/': [
    'server/features/keyword/',
    'server/features/organisation/',
    'server/features/pursuit/',
  ],
  // A saved question is asked as the view asks it, in projects of the report, of counted companies; what is new is told in the bell.
  'server/features/saved-question/': [
    'server/features/company/',
    'server/features/notification/',
    'server/features/report/',
    'server/features/who-wins/',
  ],
  // The demo is entered only where its sample is. A login asks for the second factor, and one from a new browser is told.
  'server/features/session/': [
    'server/features/account-notice/',
    'server/features/demo/',
    'server/features/second-factor/',
    'server/features/usage-log/',
  ],
  // What a term alone brings is asked of the engine.
  'server/features/term-advice/': [
    'server/features/keyword/',
    'server/features/keyword-impact/',
    'server/features/matching/',
  ],
  // Ending access is told to the super users; recovery codes go with the last factor.
  'server/features/standing-access/': ['server/features/account-notice/', 'server/features/second-factor/'],
  // Words to begin with are grouped by what registration asked.
  'server/features/starter-word/': ['server/features/registration/'],
  'server/features/user/': ['server/features/notification/'],
  // Which projects is the report's to say, who won them what the pages of companies say; files that are taken home are audited.
  'server/features/who-wins/': [
    'server/features/company/',
    'server/features/demo/',
    'server/features/report/',
    'server/features/usage-log/',
  ],
  // Its forms say a refusal as all forms do.
  'src/features/account-security/': ['src/features/form-refusal/'],
  // An answer is a passage with its mark, as what was searched for is.
  'src/features/document-answers/': ['src/features/document-passages/'],
  // The dialog shows what the word would do, and asks whether the lists are open.
  'src/features/exclude-word/': ['src/features/keyword-impact/', 'src/features/keywords/'],
  // Beside a word stand what it would do and its terms; empty lists begin with a screen of the menu.
  'src/features/keywords/': ['src/features/keyword-impact/', 'src/features/keyword-terms/', 'src/features/navigation/'],
  // A word can be taught by examples before it is saved.
  'src/features/keyword-terms/': ['src/features/lesson/'],
  // A finger answers a title by pushing it aside.
  'src/features/lesson/': ['src/features/swipe/'],
  // What a unit bought before says when it buys again.
  'src/features/linked-projects/': ['src/features/purchase-history/'],
  // The popover stars and hides projects, fetches finished files and leads to followed agencies.
  'src/features/notifications/': [
    'src/features/agency-link/',
    'src/features/bookmarks/',
    'src/features/hidden-projects/',
    'src/features/report-export/',
  ],
  // The account panel holds the switch of the theme, and installs the app.
  // The palette leads wherever the menus lead, and does what their buttons do.
  'src/features/palette/': [
    'src/features/navigation/',
    'src/features/report-export/',
    'src/features/report-link/',
    // Ctrl+K before the code is there is kept with the keys of the screens.
    'src/features/shortcuts/',
    'src/features/theme/',
  ],
  // A row says who of the team looks after the project, as the board does, and leads to who buys.
  'src/features/project-row/': [
    'src/features/agency-link/',
    'src/features/document-passages/',
    'src/features/pursuit/',
  ],
  // A question is called by its filters, as a saved filter is.
  'src/features/saved-questions/': ['src/features/saved-filters/'],
  'src/features/session/': ['src/features/installed-app/', 'src/features/theme/'],
  // G and a letter lead to the screens of the menu.
  'src/features/shortcuts/': ['src/features/navigation/'],
  // What keeps a project out can be taken back there.
  'src/features/why-not/': ['src/features/exclusion-ledger/'],
}

/**
 * Which part of a page (a folder in it) may import which other part. The files beside the parts are the page: they may import every part,
 * and no part imports them. A part that is not named imports none.
 */
const PAGE_GRAPH: Readonly<Record<string, readonly string[]>> = {
  // The other parts read their filters from the scope in the address.
  'budget/figures': ['budget/scope'],
  'company-comparison/block': ['company-comparison/scope'],
  // Meetings are drawn in the same frames, with the same facts of a project.
  'company-comparison/meeting': ['company-comparison/block', 'company-comparison/scope'],
  // Keys move the focus in the table; the page of a project leads back to the filters.
  'report/keyboard': ['report/filter', 'report/table'],
  // The buttons of the panel do what the keys do.
  'report/peek': ['report/keyboard'],
  // An empty result names the same days as the heading.
  'report/states': ['report/table'],
  // Every tab is made of the same sections, says what was not saved, and loads alike.
  'settings/account': ['settings/form'],
  'settings/developer': ['settings/form', 'settings/team'],
  'settings/notification': ['settings/form', 'settings/team'],
  'settings/pursuit': ['settings/form'],
  'settings/qualification': ['settings/form'],
  'settings/report': ['settings/form'],
  'settings/security': ['settings/form'],
  'settings/team': ['settings/form'],
}
const IMPORT = /(?:from\s+|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g
const STATIC_IMPORT = /(?:from\s+|import\s+)['"]([^'"]+)['"]/g
const TOWERS = ['contract', 'src', 'server'] as const

function roomOf(file: string): { floor: number; room: string | undefined } | undefined {
  for (const [pattern, floor, alone] of FLOORS) {
    const match = pattern.exec(file)
    if (match) return { floor, room: alone ? match[0] : undefined }
  }
  return undefined
}

function* filesUnder(dir: string): Generator<string> {
  for (const name of readdirSync(dir)) {
    const full = path.join(dir, name)
    if (statSync(full).isDirectory()) yield* filesUnder(full)
    else if (/\.tsx?$/.test(name) && !/\.(test|gen|d)\.tsx?$/.test(name)) yield full
  }
}

function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  return undefined
}

/** The page of a file, and the part of it that holds the file: `report`, `report/table`; none in the page's own folder. */
function partOf(file: string): { page: string; part: string | undefined } | undefined {
  const [, page, part] = /^src\/pages\/([^/]+)\/(?:([^/]+)\/)?[^/]+$/.exec(file) ?? []
  return page === undefined ? undefined : { page, part: part && `${page}/${part}` }
}

const inBrowser = (floor: number) => floor > 0 && floor < 10

function complaint(file: string, specifier: string): string | undefined {
  const target = targetOf(file, specifier)
  if (!target || /\.css$/.test(target)) return undefined
  const here = roomOf(file)!
  const there = roomOf(target)
  if (!there) return `${file} -> ${specifier}: target lives on no floor`
  if (there.floor > here.floor) return `${file} -> ${specifier}: climbs from ${here.floor} to ${there.floor}`
  if (there.floor !== 0 && inBrowser(there.floor) !== inBrowser(here.floor))
    return `${file} -> ${specifier}: crosses the network`
  if (there.floor === here.floor && here.room !== there.room && !FEATURE_GRAPH[here.room!]?.includes(there.room!))
    return `${file} -> ${specifier}: reaches into a neighbour`
  const from = partOf(file)
  const to = partOf(target)
  if (from?.part && to && from.page === to.page && from.part !== to.part) {
    if (!to.part) return `${file} -> ${specifier}: climbs from a part to its page`
    if (!PAGE_GRAPH[from.part]?.includes(to.part)) return `${file} -> ${specifier}: reaches into another part`
  }
  return undefined
}

function violationsUnder(root: string): string[] {
  const found: string[] = []
  for (const tower of TOWERS) {
    if (!existsSync(path.join(root, tower))) continue
    for (const full of filesUnder(path.join(root, tower))) {
      const file = path.relative(root, full).split(path.sep).join('/')
      if (!roomOf(file)) found.push(`${file}: lives on no floor`)
      else
        for (const [, specifier] of readFileSync(full, 'utf8').matchAll(IMPORT))
          found.push(...[complaint(file, specifier!)].filter((text) => text !== undefined))
    }
  }
  return found.sort((a, b) => (a < b ? -1 : 1))
}

test('every import looks down, neighbours speak along the graph, the towers meet only in contract', () => {
  expect(violationsUnder(import.meta.dirname)).toEqual([])
})

test('contract imports nothing but zod and itself', () => {
  const foreign: string[] = []
  for (const file of filesUnder(path.join(import.meta.dirname, 'contract'))) {
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (!/^\.\.?\//.test(specifier!) && specifier !== 'zod/mini')
        foreign.push(`${path.basename(file)} -> ${specifier}`)
    }
  }
  expect(foreign).toEqual([])
})

test('a planted violation of each kind is found', () => {
  expect(violationsUnder(path.join(import.meta.dirname, 'test/architecture-fixture'))).toEqual([
    'server/features/feed/load.ts -> #server/features/matching/match.ts: reaches into a neighbour',
    'server/http/app.ts -> #src/lib/date.ts: crosses the network',
    'server/jobs/load.ts -> #server/http/app.ts: reaches into a neighbour',
    'src/api/projects.ts -> #server/engine/db.ts: climbs from 2 to 10',
    'src/helpers/date.ts: lives on no floor',
    'src/lib/date.ts -> ../ui/button.ts: climbs from 1 to 2',
    'src/pages/report/table/cell.ts -> ../keyboard/keys.ts: reaches into another part',
    'src/pages/report/table/row.ts -> ../report-page.ts: climbs from a part to its page',
    'src/ui/button.ts -> #src/helpers/date.ts: target lives on no floor',
  ])
})

type Graph = Readonly<Record<string, readonly string[]>>

/** The first circle that a walk through the graph meets, as the names on it; the first name stands again at the end. */
function circleIn(graph: Graph): string[] | undefined {
  const done = new Set<string>()
  const walk = (name: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const next of graph[name] ?? []) {
      const circle = walk(next, [...way, name])
      if (circle) return circle
    }
    done.add(name)
    return undefined
  }
  for (const name of Object.keys(graph).sort((a, b) => (a < b ? -1 : 1))) {
    const circle = walk(name, [])
    if (circle) return circle
  }
  return undefined
}

const edgesOf = (graph: Graph) =>
  Object.entries(graph).flatMap(([name, others]) => others.map((other) => `${name} ${other}`))

/** Product file → the files it imports, also those of `import()` and of types; paths from the root. */
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

test('the graphs of features and of parts have no circle, and every edge of them is used', () => {
  expect(circleIn(FEATURE_GRAPH)).toBeUndefined()
  expect(circleIn(PAGE_GRAPH)).toBeUndefined()
  const used = new Set<string>()
  for (const [file, targets] of Object.entries(importGraph(import.meta.dirname))) {
    for (const target of targets)
      used.add(`${roomOf(file)?.room} ${roomOf(target)?.room}`).add(`${partOf(file)?.part} ${partOf(target)?.part}`)
  }
  expect([...edgesOf(FEATURE_GRAPH), ...edgesOf(PAGE_GRAPH)].filter((edge) => !used.has(edge))).toEqual([])
})

test('no file imports itself on a way of static imports, types counted', () => {
  expect(circleIn(importGraph(import.meta.dirname, STATIC_IMPORT))).toBeUndefined()
  // The fixture has one circle of types and one that `import()` breaks.
  expect(circleIn(importGraph(path.join(import.meta.dirname, 'test/architecture-fixture'), STATIC_IMPORT))).toEqual([
    'src/pages/report/table/row.ts',
    'src/pages/report/table/cell.ts',
    'src/pages/report/table/row.ts',
  ])
})

const architecture = readFileSync(path.join(import.meta.dirname, 'docs/architecture.md'), 'utf8')

test('docs/architecture.md draws the graphs as they are: features of the server, features of the browser, parts of pages', () => {
  const drawn = [...architecture.matchAll(/^```mermaid\n([\s\S]*?)```/gm)].map(([, text]) => text)
  const graphs: [Graph, string][] = [
    [FEATURE_GRAPH, 'server/features/'],
    [FEATURE_GRAPH, 'src/features/'],
    [PAGE_GRAPH, ''],
  ]
  const expected = graphs.map(([graph, tower]) => {
    const short = (room: string) => room.replace(tower, '').replace(/\/$/, '')
    const edges = Object.entries(graph)
      .filter(([room]) => room.startsWith(tower))
      .map(([room, others]) => `  ${short(room)} --> ${others.map(short).join(' & ')}`)
    return `${['flowchart LR', ...edges.sort((a, b) => (a < b ? -1 : 1))].join('\n')}\n`
  })
  expect(drawn).toEqual(expected)
})

/** The files that a file imports, also those of `import()`, as paths from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(import.meta.dirname, file), 'utf8')
  return [...text.matchAll(IMPORT)]
    .map(([, specifier]) => targetOf(file, specifier!))
    .filter((target) => target !== undefined)
}

/** Files of a walk without an import from or to another file of it. */
function strayFiles(walk: string): string[] {
  const files = [...walk.matchAll(/`((?:contract|src|server)\/[\w./-]+\.tsx?)`/g)].map(([, file]) => file!)
  const edges = files.flatMap((file) => importsOf(file).map((target) => [file, target] as const))
  return files.filter(
    (file) =>
      !edges.some(([from, to]) => (from === file && files.includes(to)) || (to === file && files.includes(from))),
  )
}

test('each file of a walk in docs/architecture.md is linked to another one of it', () => {
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
