import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { ownerToBe } from './postgres-programs.ts'

/** One PostgreSQL whose log is archived, by the name that pgbackrest has for it, and the file that says the rest. */
export type Stanza = { readonly config: string; readonly stanza: string }

/** What a restore did not do, in a sentence. */
export class RecoveryRefused extends Error {
  override readonly name = 'RecoveryRefused'
}

export const hasPgbackrest = (): boolean => {
  try {
    execFileSync('pgbackrest', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export type ConfigParts = {
  readonly stanza: string
  /** Data folder, port and folder of the socket of the PostgreSQL. */
  readonly data: string
  readonly port: number
  readonly socket: string
  /** Where base backups and log go: a folder on another machine's disk. S3 and SFTP: `repo1-type` of pgbackrest's manual. */
  readonly repository: string
  /** Of pgbackrest's own: locks and logs. */
  readonly state: string
  /** Two weeks of moments with a full one a week. */
  readonly keepFull?: number
}

/** pgbackrest.conf with a new passphrase for the repository: mode 0600, of the user postgres, and a copy of the passphrase elsewhere. */
export function configText({ stanza, data, port, socket, repository, state, keepFull = 2 }: ConfigParts): string {
  return `[global]
repo1-path=${repository}
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=${randomBytes(36).toString('base64')}
repo1-retention-full=${keepFull}
repo1-bundle=y
compress-type=zst
start-fast=y
lock-path=${state}/lock
log-path=${state}
log-level-console=warn
log-level-file=info

[${stanza}]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${socket}
pg1-user=postgres
`
}

/** Settings of PostgreSQL. A file of the write-ahead log is archived when it is full, and after a minute at the latest, so a lost machine costs at most the last minute. */
export const archiveSettings = ({ config, stanza }: Stanza): string[] => [
  'wal_level=replica',
  'archive_mode=on',
  `archive_command=pgbackrest --config=${config} --stanza=${stanza} archive-push %p`,
  'archive_timeout=60',
]

const run = promisify(execFile)

/** Runs pgbackrest as the user that PostgreSQL runs as. Rejects with `RecoveryRefused` and what it said. */
export async function pgbackrest({ config, stanza }: Stanza, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('pgbackrest', [`--config=${config}`, `--stanza=${stanza}`, ...args], {
      ...ownerToBe(),
      cwd: '/',
      maxBuffer: 16 * 2 ** 20,
    })
    return stdout
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout?: string; stderr?: string; code?: string }
    if (code === 'ENOENT') throw new RecoveryRefused('pgbackrest is not installed (Debian: apt-get install pgbackrest)')
    const said = `${stdout ?? ''}${stderr ?? ''}`.split('\n').filter((line) => /ERROR|HINT|FATAL/.test(line))
    throw new RecoveryRefused(`pgbackrest ${args.at(-1)} failed: ${said.join('\n') || String(error)}`, { cause: error })
  }
}

export type BaseBackup = {
  readonly label: string
  readonly endedAt: Date
  readonly bytes: number
  readonly type: string
}

/** Base backups of the stanza, the oldest first. */
export async function listBases(stanza: Stanza): Promise<BaseBackup[]> {
  const [info] = JSON.parse(await pgbackrest(stanza, ['--output=json', 'info'])) as [
    { backup?: { label: string; type: string; timestamp: { stop: number }; info: { size: number } }[] }?,
  ]
  return (info?.backup ?? []).map(({ label, type, timestamp, info: { size } }) => ({
    ...{ label, type, bytes: size, endedAt: new Date(timestamp.stop * 1000) },
  }))
}

/** A moment with its zone, in the past, at which a base backup had ended. */
export async function momentOf(
  stanza: Stanza,
  to: string,
): Promise<{ readonly target: string; readonly base: BaseBackup }> {
  if (!/(?:Z|[+-]\d\d:?\d\d)$/.test(to) || Number.isNaN(Date.parse(to)))
    throw new RecoveryRefused(`--to: ${to} is no moment with its zone, such as 2026-11-27T14:05:00+07:00`)
  const at = new Date(to)
  if (at.getTime() > Date.now()) throw new RecoveryRefused(`--to: ${to} has not come yet`)
  const bases = await listBases(stanza)
  const base = bases.findLast(({ endedAt }) => endedAt <= at)
  if (base === undefined)
    throw new RecoveryRefused(
      bases.length === 0
        ? `there is no base backup of ${stanza.stanza}`
        : `--to: ${to} is before the oldest base backup, which ended at ${bases[0]!.endedAt.toISOString()}`,
    )
  return { target: `${at.toISOString().replace('T', ' ').replace('Z', '+00')}`, base }
}

/** Brings base and log of a moment into `data`; PostgreSQL replays them when it is started there, and becomes a server of its own at the moment. */
export async function restoreFiles(
  stanza: Stanza,
  { target, base }: Awaited<ReturnType<typeof momentOf>>,
  { data, aside }: { readonly data: string; readonly aside: boolean },
): Promise<void> {
  const goal = ['--type=time', `--target=${target}`, '--target-action=promote', `--set=${base.label}`]
  // Beside the living one nothing may be archived, or its own archive would hold two histories.
  const where = aside ? ['--archive-mode=off'] : ['--delta']
  await pgbackrest(stanza, [`--pg1-path=${data}`, ...goal, ...where, 'restore'])
}
