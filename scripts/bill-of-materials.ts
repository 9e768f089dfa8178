import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * `npm run sbom`: lists everything that reaches a user or a server, as CycloneDX 1.5, from the lock file. `npm sbom
 * --omit dev` does not work here: it omits packages that a dev tool also needs (zod, nodemailer), and it cannot know
 * that the browser's packages are bundled and shipped too.
 */

type Locked = {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
export type Lock = { readonly packages: Readonly<Record<string, Locked>> }
type Product = {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
type Component = {
  readonly type: 'library'
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses: readonly unknown[]
  readonly hashes: readonly { readonly alg: 'SHA-512'; readonly content: string }[]
}

const IMPORT = /(?:from|import|@import)\s?\(?\s?['"]([^'"]+)['"]/g

/**
 * Returns the direct packages that the browser code imports. package.json lists them as dev dependencies because the
 * server does not need them, but they are bundled.
 */
export function listBrowserPackages(root: string, product: Product): string[] {
  const files = ['src', 'contract'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|css)$/.test(file) && !/\.test\.tsx?$|for-tests/.test(file))
      .map((file) => path.join(root, folder, file)),
  )
  const named = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name]) => name!))
  const imported = new Set(named.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')))
  return Object.keys(product.devDependencies).filter((name) => imported.has(name) && !TOOLS.includes(name))
}
/** Packages that the styles import, but that are absent from the build output. */
const TOOLS = ['tailwindcss']

function reachedFrom(names: readonly string[], { packages }: Lock): string[] {
  const reached = new Set<string>()
  const waiting = names.map((name) => ({ name, from: '' }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const lockPath = resolveLockPath(next.name, next.from, packages)
    if (lockPath === undefined || reached.has(lockPath)) continue
    reached.add(lockPath)
    const { dependencies, optionalDependencies, peerDependencies } = packages[lockPath]!
    for (const name of Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies }))
      waiting.push({ name, from: lockPath })
  }
  return [...reached].toSorted()
}

/** Returns the path in the lockfile of the package that Node loads when another package imports it by name. */
function resolveLockPath(name: string, from: string, packages: Lock['packages']): string | undefined {
  const candidate = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (candidate in packages) return candidate
  if (from === '') return undefined
  const cut = from.lastIndexOf('/node_modules/')
  return resolveLockPath(name, cut < 0 ? '' : from.slice(0, cut), packages)
}

function componentOf(lockPath: string, { version = '', license, integrity }: Locked): Component {
  const name = lockPath.slice(lockPath.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const hash = integrity === undefined ? [] : [Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')]
  const named = license?.includes(' ') ? { expression: license } : { license: { id: license } }
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: license === undefined ? [] : [named],
    hashes: hash.map((content) => ({ alg: 'SHA-512', content })),
  }
}

export function buildBillOfMaterials(root: string) {
  const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  const product = read('package.json') as Product
  const lock = read('package-lock.json') as Lock
  const names = [...Object.keys(product.dependencies), ...listBrowserPackages(root, product)]
  const { name, version } = product
  return {
    bomFormat: 'CycloneDX' as const,
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: reachedFrom(names, lock).map((lockPath) => componentOf(lockPath, lock.packages[lockPath]!)),
  }
}

if (import.meta.main)
  console.log(JSON.stringify(buildBillOfMaterials(path.join(import.meta.dirname, '..')), undefined, 2))
