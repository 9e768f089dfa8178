import path from 'node:path'
import { expect, test } from 'vitest'
import {
  nameReportChunk,
  REPORT_CARD_MODULES,
  REPORT_MODULES,
  REPORT_TABLE_MODULES,
  reportPreloadPlugin,
} from './report-preloads.ts'

const entry = { type: 'chunk', fileName: 'assets/index.js', moduleIds: [], imports: [] }
const screens = [...REPORT_MODULES, ...REPORT_CARD_MODULES, ...REPORT_TABLE_MODULES].map((module) => ({
  type: 'chunk',
  fileName: `assets/${module.split('/').at(-1)!.replace(/tsx?$/, 'js')}`,
  moduleIds: [`/app/${module}`],
  imports: ['assets/index.js', module.includes('/cards/') ? 'assets/swipe.js' : 'assets/shared.js'],
}))
const shared = ['assets/shared.js', 'assets/swipe.js'].map((fileName) => ({
  type: 'chunk',
  fileName,
  moduleIds: [],
  imports: [],
}))

function buildPage(chunks: readonly { readonly fileName: string }[]): string {
  const { handler } = reportPreloadPlugin.transformIndexHtml as unknown as {
    handler: (html: string, context: object) => string
  }
  const bundle = Object.fromEntries(chunks.map((chunk) => [chunk.fileName, chunk]))
  return handler('<head></head>', { bundle, chunk: entry })
}

test('lists every file of the report once, without the entry, and those of one layout with its window width', () => {
  const page = buildPage([entry, ...screens, ...shared])
  const files = [...page.matchAll(/(media="[^"]*")? crossorigin href="([^"]+)"/g)].map(([, media, file]) => [
    file,
    media,
  ])
  expect(files).toEqual([
    ['/assets/report-loader.js', undefined],
    ['/assets/shared.js', undefined],
    ['/assets/app-layout.js', undefined],
    ['/assets/report-page.js', undefined],
    ['/assets/report-cards.js', 'media="(max-width: 47.99rem)"'],
    ['/assets/swipe.js', 'media="(max-width: 47.99rem)"'],
    ['/assets/report-table.js', 'media="(min-width: 48rem)"'],
    ['/assets/saved-filter-tabs.js', 'media="(min-width: 48rem)"'],
  ])
})

test('fails the build when a module of the report is missing', () => {
  expect(() => buildPage([entry, ...screens.slice(1), ...shared])).toThrow(REPORT_MODULES[0])
})

test('gives the report a chunk of the modules that it imports statically, at any depth', () => {
  const imports: Record<string, readonly string[]> = {
    [path.join(import.meta.dirname, '..', REPORT_CARD_MODULES[0]!)]: ['card'],
    card: ['swipe'],
    other: ['chart'],
  }
  const context = { getModuleInfo: (id: string) => ({ importedIds: imports[id] ?? [] }) } as never
  expect(['card', 'swipe', 'other', 'chart'].map((id) => nameReportChunk(id, context))).toEqual([
    'report',
    'report',
    null,
    null,
  ])
})
