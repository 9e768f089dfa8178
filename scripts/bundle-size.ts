import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { REPORT_CARD_MODULES, REPORT_TABLE_MODULES } from './report-preloads.ts'

type Chunk = {
  readonly file: string
  readonly name?: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly isEntry?: boolean
}
export type Manifest = Readonly<Record<string, Chunk>>

// `report` is a group of vite.config.ts with the frame of the app, which the manifest lists by name only.
const REPORT = ['report', 'src/routes/loaders/report-loader.ts', 'src/report/pages/report/report-page.tsx']
/** Maximum first-load JavaScript per screen, in kB (1000 bytes) after gzip. */
const BUDGETS = [
  { screen: '/login', budgetKb: 195, chunks: [] },
  {
    screen: '/report',
    budgetKb: 410,
    chunks: [...REPORT, ...REPORT_TABLE_MODULES, 'src/report/filter/filter-panel.tsx'],
  },
  {
    screen: '/report on a phone',
    budgetKb: 305,
    chunks: [...REPORT, ...REPORT_CARD_MODULES],
  },
] as const

/** Returns the files that the browser needs before a screen renders: the entry, the screen's own modules and their imports. */
export function listFirstLoadFiles(manifest: Manifest, chunks: readonly string[]): string[] {
  const files = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key] ?? Object.values(manifest).find(({ name }) => name === key)
    if (!chunk) throw new Error(`The build has no chunk ${key}: is the screen still loaded lazily under this name?`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const [key, { isEntry }] of Object.entries(manifest)) if (isEntry) visit(key)
  for (const chunk of chunks) visit(chunk)
  return [...files].filter((file) => file.endsWith('.js'))
}

/** The document viewer, larger than all screens; loaded with the reader and never on first load. */
const VIEWER = 'node_modules/unpdf/dist/pdfjs.mjs'

/**
 * Returns the files that import the viewer statically, i.e. other than by `import()`. Throws if the build has no such
 * chunk.
 */
export function listFilesWithViewer(manifest: Manifest): string[] {
  if (!manifest[VIEWER]) throw new Error(`The build has no chunk ${VIEWER}: was it moved into another chunk?`)
  return Object.values(manifest).flatMap(({ file, imports = [] }) => (imports.includes(VIEWER) ? [file] : []))
}

function checkBudgets(dist: string): boolean {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const sizes = new Map<string, number>()
  const sizeOf = (file: string) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length)
    return sizes.get(file)!
  }
  let isWithinBudget = true
  for (const { screen, budgetKb, chunks } of BUDGETS) {
    const files = listFirstLoadFiles(manifest, chunks)
    const kb = files.reduce((sum, file) => sum + sizeOf(file), 0) / 1000
    const fits = kb <= budgetKb
    isWithinBudget &&= fits
    console.log(`${fits ? 'ok  ' : 'OVER'} ${screen}: ${kb.toFixed(1)} of ${budgetKb} kB gzip in ${files.length} files`)
    if (!fits || process.argv.includes('--files')) {
      for (const file of files.toSorted((a, b) => sizeOf(b) - sizeOf(a)))
        console.log(`       ${(sizeOf(file) / 1000).toFixed(1).padStart(6)}  ${file}`)
    }
  }
  for (const file of listFilesWithViewer(manifest)) {
    console.log(`OVER the document viewer is loaded with ${file}`)
    isWithinBudget = false
  }
  return isWithinBudget
}

if (import.meta.main && !checkBudgets(path.join(import.meta.dirname, '..', 'dist'))) process.exitCode = 1
