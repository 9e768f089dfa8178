import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import type { WorkerBuildManifest } from '#src/worker/serving-strategy.ts'
import { listFirstLoadFiles, type Manifest } from './bundle-size.ts'

/**
 * Files that are not precached: the document viewer is larger than everything else, error reports need a network
 * anyway, and operators work at a desk. These files are fetched on demand and then cached.
 */
const NOT_AHEAD = /^(pdfjs|sentry|operation-)/

const LOOSE = [
  '/theme.js',
  '/manifest.webmanifest',
  '/icon.svg',
  '/icon-192.png',
  '/icon-512.png',
  '/apple-touch-icon.png',
]

/**
 * Returns what the worker precaches: all scripts, styles and typefaces except `NOT_AHEAD`. Throws when the page does
 * not reference the entry.
 */
function buildWorkerManifest(dist: string): WorkerBuildManifest {
  const manifest = JSON.parse(readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const html = readFileSync(path.join(dist, 'index.html'), 'utf8')
  const entry = listFirstLoadFiles(manifest, []).find((file) => html.includes(file))
  if (entry === undefined) throw new Error('index.html references no entry of the build')
  const files = readdirSync(path.join(dist, 'assets'))
    .filter((name) => /\.(js|css|woff2)$/.test(name) && !NOT_AHEAD.test(name))
    .map((name) => `/assets/${name}`)
    .sort()
  const loose = LOOSE.filter((file) => existsSync(path.join(dist, file)))
  const hash = createHash('sha256').update(html).update(files.join('\n'))
  for (const file of loose) hash.update(readFileSync(path.join(dist, file)))
  return { id: hash.digest('hex').slice(0, 16), entry: `/${entry}`, files, loose }
}

/** Writes `worker.js` next to `index.html`: one classic script at an address that never changes. */
async function buildWorker(dist: string): Promise<void> {
  const root = path.join(import.meta.dirname, '..')
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { __BUILD__: JSON.stringify(buildWorkerManifest(dist)) },
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'baseline-widely-available',
      lib: {
        entry: path.join(root, 'src/worker/worker.ts'),
        formats: ['iife'],
        name: 'worker',
        fileName: () => 'worker.js',
      },
    },
  })
}

if (import.meta.main) await buildWorker(path.join(import.meta.dirname, '../dist'))
