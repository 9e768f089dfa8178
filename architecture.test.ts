import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/**
 * The drawing of docs/architecture.md, executed. Lower number = lower floor; a file may import from floors below its own
 * and from its own room. `alone` floors: rooms on them are strangers and do not import each other.
 */
const FLOORS: readonly (readonly [room: RegExp, floor: number, alone?: 'alone'])[] = [
  [/^contract\//, 0],
  [/^src\/lib\//, 1],
  [/^src\/(ui|api)\//, 2, 'alone'],
  [/^src\/features\/([^/]+)\//, 3, 'alone'],
  [/^src\/pages\/([^/]+)\//, 4, 'alone'],
  [/^src\/routes\//, 5],
  [/^src\/app\//, 6],
  [/^src\/main\.tsx$/, 7],
  [/^server\/db\//, 10],
  [/^server\/(queue|mail|text|meaning|workbook)\//, 11, 'alone'],
  [/^server\/route\//, 12],
  [/^server\/features\/([^/]+)\//, 13, 'alone'],
  [/^server\/(http|jobs|cli)\//, 14, 'alone'],
  [/^server\/(main\.ts$|start\/)/, 15],
]
const IMPORT = /(?:from\s+|import\s*\(\s*|import\s+)['"]([^'"]+)['"]/g
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
  if (there.floor === here.floor && here.room !== there.room) return `${file} -> ${specifier}: reaches into a neighbour`
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

test('every import looks down, strangers do not speak, the towers meet only in contract', () => {
  expect(violationsUnder(import.meta.dirname)).toEqual([])
})

test('contract imports nothing but zod and itself', () => {
  const foreign: string[] = []
  for (const file of filesUnder(path.join(import.meta.dirname, 'contract'))) {
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (!specifier!.startsWith('./') && specifier !== 'zod/mini')
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
    'src/api/projects.ts -> #server/db/db.ts: climbs from 2 to 10',
    'src/helpers/date.ts: lives on no floor',
    'src/lib/date.ts -> ../ui/button.ts: climbs from 1 to 2',
    'src/ui/button.ts -> #src/helpers/date.ts: target lives on no floor',
  ])
})
