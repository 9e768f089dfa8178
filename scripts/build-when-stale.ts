import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const SOURCES = [
  'src',
  'contract',
  'public',
  'index.html',
  'vite.config.ts',
  'tailwind.config.ts',
  'package-lock.json',
  'scripts/precompress.ts',
  'scripts/build-worker.ts',
  'scripts/bundle-size.ts',
  'scripts/react-plugin.ts',
  'scripts/report-preloads.ts',
]
const STAMP = 'dist/.build-stamp'

export function computeSourcesDigest(base: string, sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    const full = path.join(base, source)
    if (!existsSync(full)) continue
    const names = statSync(full).isDirectory() ? readdirSync(full, { recursive: true, encoding: 'utf8' }).sort() : ['']
    for (const name of names) {
      if (/\.test\.tsx?$/.test(name)) continue
      const file = path.join(full, name)
      if (statSync(file).isFile()) hash.update(`${source}/${name}\n`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

function isFresh(digest: string): boolean {
  const stamp = path.join(root, STAMP)
  return existsSync(path.join(root, 'dist/index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
}

async function run(file: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [path.join(root, file), ...args], { cwd: root, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${file} exited with ${code ?? 'a signal'}`)
}

async function buildApp(): Promise<void> {
  await run('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn')
  await run('scripts/build-worker.ts')
  await run('scripts/precompress.ts')
}

/**
 * Builds the template for a first start on the embedded database. Only a server needs it: the image builds the app
 * without it and runs on PostgreSQL.
 */
async function makeEmptyDatabase(): Promise<void> {
  if (!existsSync(path.join(root, 'server'))) return
  const { buildEmptyDatabaseFolder } = await import('#server/platform/engine/empty-database-folder.ts')
  await buildEmptyDatabaseFolder()
}

if (import.meta.main) {
  const digest = computeSourcesDigest(root, SOURCES)
  if (process.argv.includes('--force') || !isFresh(digest)) {
    console.log('Building the app …')
    await Promise.all([buildApp(), makeEmptyDatabase()])
    writeFileSync(path.join(root, STAMP), digest)
  }
}
