import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildBillOfMaterials, listBrowserPackages } from '../../scripts/bill-of-materials.ts'

type Locked = {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly inBundle?: boolean
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}
type Direct = Readonly<Record<string, string>>

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const product = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Direct
> & { readonly name: string; readonly version: string }
const { lockfileVersion, packages } = JSON.parse(read('package-lock.json')) as {
  lockfileVersion: number
  packages: Readonly<Record<string, Locked>>
}
const { '': rootPackage, ...lockedPackages } = packages
const locked = Object.entries(lockedPackages)
const direct = { ...product.dependencies, ...product.devDependencies, ...product.optionalDependencies }

const ALLOWED = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'MIT OR Apache-2.0',
  '(MIT OR CC0-1.0)',
  'BlueOak-1.0.0',
  'Unlicense',
]
const EXCEPTIONS: readonly (readonly [
  license: string,
  where: (name: string, lock: Locked) => boolean,
  reason: string,
])[] = [
  ['MPL-2.0', (_, { dev }) => dev === true, 'build and test tools, not distributed'],
  ['MPL-2.0', (name) => name === 'web-push', 'used unmodified by the server'],
  ['OFL-1.1', (name) => name === '@fontsource-variable/anuphan', 'typeface: may be distributed with software'],
]
/** Packages with an install script, and the reason why each works without the script. */
const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {}

const nameOf = (packagePath: string) =>
  packagePath.slice(packagePath.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('R60: dependencies are known and pinned', () => {
  test('the lock has one version and SHA-512 per package, none from git, a file or a URL', () => {
    expect(lockfileVersion).toBe(3)
    expect(locked.length).toBeGreaterThan(300)
    // Bundled packages need no hash, because the hash of the package that contains them covers them.
    const bad = locked.filter(
      ([, { version, resolved, integrity, inBundle, link }]) =>
        link === true ||
        !/^\d+\.\d+\.\d+/.test(version ?? '') ||
        (inBundle !== true && !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) ||
        (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
    )
    expect(bad).toEqual([])
  })

  test('the lock matches package.json', () => {
    const { dependencies, devDependencies, optionalDependencies } = product
    expect(rootPackage).toMatchObject({ dependencies, devDependencies, optionalDependencies })
    for (const [name, version] of Object.entries(direct))
      expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version])
  })

  test('every direct package has an exact version', () => {
    expect(Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  test('no package runs an install script', () => {
    const installed = locked.filter(([packagePath]) => existsSync(path.join(root, packagePath, 'package.json')))
    expect(installed.length).toBeGreaterThan(200)
    const wanting = locked.filter(([packagePath, { hasInstallScript }]) => {
      if (hasInstallScript === true) return true
      if (!existsSync(path.join(root, packagePath, 'package.json'))) return false
      const { scripts = {} } = JSON.parse(read(`${packagePath}/package.json`)) as { scripts?: Direct }
      const isCompiled = existsSync(path.join(root, packagePath, 'binding.gyp'))
      return isCompiled || ['preinstall', 'install', 'postinstall'].some((name) => name in scripts)
    })
    expect(wanting.map(([packagePath]) => nameOf(packagePath))).toEqual(Object.keys(INSTALL_SCRIPTS))
    const installs = read('deploy/Dockerfile').match(/npm (?:ci|install)[^\n]*/g) ?? []
    expect(installs.length).toBeGreaterThan(0)
    expect(installs.filter((line) => !line.includes('--ignore-scripts'))).toEqual([])
  })

  test('every licence allows distribution', () => {
    const bad = locked.filter(([packagePath, lock]) => {
      const license = lock.license ?? 'none'
      if (ALLOWED.includes(license)) return false
      return !EXCEPTIONS.some(([name, isAllowed]) => name === license && isAllowed(nameOf(packagePath), lock))
    })
    expect(bad.map(([packagePath, { license }]) => `${nameOf(packagePath)}: ${license}`)).toEqual([])
  })

  test('the bill of materials lists every shipped package and no tool', () => {
    const { components } = buildBillOfMaterials(root)
    const named = components.map(({ name, version }) => `${name}@${version}`)
    const runs = Object.entries(product.dependencies).map(([name, version]) => `${name}@${version}`)
    expect(runs.filter((name) => !named.includes(name))).toEqual([])
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['react', 'ky', 'avvio', 'scheduler']))
    expect(components.filter(({ name }) => ['vitest', 'vite', 'typescript', 'recheck'].includes(name))).toEqual([])
    const needed = locked.filter(([, lock]) => !('dev' in lock || 'devOptional' in lock || 'optional' in lock))
    expect(
      needed
        .map(([packagePath]) => nameOf(packagePath))
        .filter((name) => !components.some((component) => component.name === name)),
    ).toEqual([])
    for (const { name, licenses, hashes } of components)
      expect([name, licenses.length, hashes[0]?.content.length]).toEqual([name, 1, 128])
  })
})

describe('docs/dependencies.md', () => {
  type Row = { readonly name: string; readonly license: string; readonly purpose: string; readonly day: string }
  const rowsOf = (title: string): Row[] => {
    const chapter = read('docs/dependencies.md').split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
    const lines = chapter.split('\n').filter((line) => line.startsWith('|') && !/^\|(?: Package |-)/.test(line))
    return lines.map((line) => {
      const [, name = '', license = '', purpose = '', day = ''] = line.split('|').map((cell) => cell.trim())
      return { name, license, purpose, day }
    })
  }
  const server = rowsOf('What the server runs')
  const browser = rowsOf('What the browser gets')
  const tools = rowsOf('Tools')
  const rows = [...server, ...browser, ...tools]

  test('lists use, licence and review date of every direct package', () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(direct).toSorted())
    expect(server.map(({ name }) => name).toSorted()).toEqual(Object.keys(product.dependencies).toSorted())
    expect(browser.map(({ name }) => name).toSorted()).toEqual(listBrowserPackages(root, product).toSorted())
    for (const { name, license, purpose, day } of rows) {
      expect([name, license]).toEqual([name, packages[`node_modules/${name}`]?.license])
      expect([name, purpose.length > 2, /^20\d\d-[01]\d-[0-3]\d$/.test(day)]).toEqual([name, true, true])
    }
  })

  test('at most 55 chosen packages reach a user or a server', () => {
    expect(server.length + browser.length).toBeLessThanOrEqual(55)
  })
})
