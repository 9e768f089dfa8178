import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { ownerToBe } from './postgres-programs.ts'

/** A PostgreSQL server whose WAL is archived: its name in pgBackRest and the configuration file. */
export type Stanza = { readonly config: string; readonly stanza: string }

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
  readonly data: string
  readonly port: number
  readonly socket: string
  /**
   * Target of base backups and WAL: a folder on another machine's disk. For S3 and SFTP see `repo1-type` in the
   * pgBackRest manual.
   */
  readonly repository: string
  /** Locks and logs of pgBackRest. */
  readonly state: string
  /** Full backups to retain; with one a week, two allow restoring any time of the last two weeks. */
  readonly keepFull?: number
}

/**
 * Returns a pgbackrest.conf with a new repository passphrase. Store it with mode 0600, owned by postgres, and copy the
 * passphrase elsewhere.
 */
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

/**
 * PostgreSQL settings. A WAL segment is archived when it is full, and after a minute at the latest, so losing the
 * machine costs at most the last minute.
 */
export const archiveSettings = ({ config, stanza }: Stanza): string[] => [
  'wal_level=replica',
  'archive_mode=on',
  `archive_command=pgbackrest --config=${config} --stanza=${stanza} archive-push %p`,
  'archive_timeout=60',
]

const run = promisify(execFile)

/** Runs pgBackRest as the user that PostgreSQL runs as. Throws `RecoveryRefused` with its output. */
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
    const problems = `${stdout ?? ''}${stderr ?? ''}`.split('\n').filter((line) => /ERROR|HINT|FATAL/.test(line))
    throw new RecoveryRefused(`pgbackrest ${args.at(-1)} failed: ${problems.join('\n') || String(error)}`, {
      cause: error,
    })
  }
}

export type BaseBackup = {
  readonly label: string
  readonly endedAt: Date
  readonly bytes: number
  readonly type: string
}

export async function listBases(stanza: Stanza): Promise<BaseBackup[]> {
  const [info] = JSON.parse(await pgbackrest(stanza, ['--output=json', 'info'])) as [
    { backup?: { label: string; type: string; timestamp: { stop: number }; info: { size: number } }[] }?,
  ]
  return (info?.backup ?? []).map(({ label, type, timestamp, info: { size } }) => ({
    ...{ label, type, bytes: size, endedAt: new Date(timestamp.stop * 1000) },
  }))
}

/** Validates a restore time: it has a time zone, is in the past, and a base backup had ended by then. */
export async function momentOf(
  stanza: Stanza,
  to: string,
): Promise<{ readonly target: string; readonly base: BaseBackup }> {
  if (!/(?:Z|[+-]\d\d:?\d\d)$/.test(to) || Number.isNaN(Date.parse(to)))
    throw new RecoveryRefused(`--to: ${to} is not a time with a time zone, such as 2026-11-27T14:05:00+07:00`)
  const at = new Date(to)
  if (at.getTime() > Date.now()) throw new RecoveryRefused(`--to: ${to} is in the future`)
  const bases = await listBases(stanza)
  const base = bases.findLast(({ endedAt }) => endedAt <= at)
  if (base === undefined)
    throw new RecoveryRefused(
      bases.length === 0
        ? `no base backup found for stanza ${stanza.stanza}`
        : `--to: ${to} is before the oldest base backup, which ended at ${bases[0]!.endedAt.toISOString()}`,
    )
  return { target: `${at.toISOString().replace('T', ' ').replace('Z', '+00')}`, base }
}

/**
 * Restores base backup and WAL into `data`. PostgreSQL replays the WAL when it is started there, and is promoted at the
 * target time.
 */
export async function restoreFiles(
  stanza: Stanza,
  { target, base }: Awaited<ReturnType<typeof momentOf>>,
  { data, aside }: { readonly data: string; readonly aside: boolean },
): Promise<void> {
  const goal = ['--type=time', `--target=${target}`, '--target-action=promote', `--set=${base.label}`]
  // A copy next to the live server must not archive, or the archive would contain two histories.
  const where = aside ? ['--archive-mode=off'] : ['--delta']
  await pgbackrest(stanza, [`--pg1-path=${data}`, ...goal, ...where, 'restore'])
}
