import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabase, type Node } from './plan.ts'

type Owner = { readonly uid: number; readonly gid: number } | undefined

export type Command = {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly owner?: Owner
}

const pidFile = (folder: string, node: Node) => path.join(folder, 'pids', node)

/** Starts the process detached, so that it outlives the command. Output goes to `FOLDER/logs/NODE.log`. */
export function startProcess(folder: string, node: Node, { command, args, env, cwd = folder, owner }: Command): void {
  mkdirSync(path.join(folder, 'pids'), { recursive: true })
  mkdirSync(path.join(folder, 'logs'), { recursive: true })
  const log = openSync(path.join(folder, 'logs', `${node}.log`), 'a')
  const child = spawn(command, [...args], {
    ...{ cwd, detached: true, stdio: ['ignore', log, log], ...owner },
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...env },
  })
  child.on('error', (error) => console.error(`${node}: ${error.message}`))
  if (child.pid === undefined) return
  writeFileSync(pidFile(folder, node), `${child.pid} ${startOf(child.pid) ?? ''}`)
  child.unref()
}

/** Returns the start time in system ticks. Together with the pid it identifies a process for ever. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : rest[18]
  } catch {
    return undefined
  }
}

/** Returns the pid of the node's process. Undefined once it has ended, even if the system has reused its pid. */
export function findPid(folder: string, node: Node): number | undefined {
  if (!existsSync(pidFile(folder, node))) return undefined
  const [pid, startedAt] = readFileSync(pidFile(folder, node), 'utf8').split(' ')
  return startOf(Number(pid)) === startedAt ? Number(pid) : undefined
}

/** Returns the pid of the node's PostgreSQL, which may outlive its Patroni, from the data folder. */
function postgresOf(folder: string, node: Node): number | undefined {
  const file = path.join(folder, node, 'data', 'postmaster.pid')
  if (!isDatabase(node) || !existsSync(file)) return undefined
  const [pid, data] = readFileSync(file, 'utf8').split('\n')
  const belongsToNode = data === path.join(folder, node, 'data') && startOf(Number(pid)) !== undefined
  return belongsToNode && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) ? Number(pid) : undefined
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        const stat = readFileSync(`/proc/${child}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
      } catch {
        return false
      }
    })
}

function signal(pids: readonly (number | undefined)[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      if (pid !== undefined) process.kill(pid, name)
    } catch {
      // The process has ended meanwhile.
    }
  }
}

/**
 * Kills the node without warning, like a machine failure: for a database Patroni and every PostgreSQL process. `only`
 * spares Patroni.
 */
export async function killNode(folder: string, node: Node, only?: 'postgres'): Promise<void> {
  const nodePid = only === 'postgres' ? undefined : findPid(folder, node)
  const postgres = postgresOf(folder, node)
  const pids = [nodePid, postgres, ...(postgres === undefined ? [] : childrenOf(postgres))]
  signal(pids, 'SIGKILL')
  while (pids.some((pid) => pid !== undefined && startOf(pid) !== undefined)) await sleep(20)
}

/** Stops the node gracefully; kills it after half a minute. */
export async function stopNode(folder: string, node: Node): Promise<void> {
  signal([findPid(folder, node)], node === 'haproxy' ? 'SIGUSR1' : 'SIGTERM')
  const from = Date.now()
  const patience = node === 'haproxy' ? 1_000 : 30_000
  while (findPid(folder, node) !== undefined && Date.now() - from < patience) await sleep(100)
  await killNode(folder, node)
  rmSync(pidFile(folder, node), { force: true })
}

export function findProgram(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], {
      encoding: 'utf8',
      env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    }).trim()
  } catch {
    return undefined
  }
}
