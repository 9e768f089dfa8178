import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { fingerprintFile } from '#server/catalogue/feed/file/feed-file.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  type FileImportCounts,
  type IntakeFile,
  importIntakeFileOnce,
  listPendingIntakeFiles,
  recordIntakeFile,
  recordIntakeFileFetched,
  recordIntakeFileOutcome,
} from './files.ts'
import { type IntakeSourceState, readIntakeSourceState } from './intake-sources.ts'
import { addNightlyRunCounts, beginNightlyRun, endNightlyRun, recordIntakeSourceRequest } from './nightly-runs.ts'
import { findNightlyRunWindowAt, getNextNightlyRunWindow } from './opening-hours.ts'
import type { IntakeRoundClock, IntakeRoundResult } from './paced-intake-round.ts'

/** A file counts as complete after this long without writes, if two polls saw the same version. */
const MIN_QUIET_MS = 20_000
const UNFINISHED = /^[.~]|\.(?:part|partial|tmp|crdownload|filepart)$/i
const MAX_FILES = 1_000

export type FolderPollDependencies = {
  readonly clock: IntakeRoundClock
  readonly signal: AbortSignal
  readonly dataDir: string
  confirm(tx: Db): Promise<void>
  importFile(file: { readonly path: string; readonly name: string }): Promise<FileImportCounts>
}

/**
 * Polls the folder once. Imports a new file when it has stopped growing, and imports the same content only once. The
 * file stays in the folder, and its row records the outcome. Ignores links and subfolders.
 */
export async function pollIntakeFolder(db: Db, deps: FolderPollDependencies): Promise<IntakeRoundResult> {
  const source = await readIntakeSourceState(db, 'folder')
  if (!source.isOn) return { until: undefined, isNightOver: true }
  const { clock, signal } = deps
  const day = findNightlyRunWindowAt(source, clock.now())
  if (!day) return { until: getNextNightlyRunWindow(source, clock.now()).startsAt, isNightOver: true }
  const folder = path.resolve(deps.dataDir, source.address)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const settled = await pollFolder(db, source, folder, deps)
  for (const file of settled) {
    signal.throwIfAborted()
    await importFolderFile(db, file, { folder, night: day.night, deps })
  }
  return { until: new Date(clock.now().getTime() + source.paceMs), isNightOver: true }
}

async function pollFolder(
  db: Db,
  source: IntakeSourceState,
  folder: string,
  { clock, confirm }: FolderPollDependencies,
): Promise<readonly IntakeFile[]> {
  const now = clock.now()
  const folderFiles = await listFolder(folder)
  return await db.transaction(async (tx) => {
    await confirm(tx)
    await recordIntakeSourceRequest(tx, source.source, now)
    const queuedFiles = await listPendingIntakeFiles(tx, source.source)
    for (const file of folderFiles) await recordIntakeFile(tx, source.source, file, now)
    const versions = new Map(folderFiles.map(({ address, version }) => [address, version]))
    const removedIds = queuedFiles
      .filter(({ address, version }) => versions.get(address) !== version)
      .map(({ id }) => id)
    await tx.execute(sql`delete from intake_files where id = any (${removedIds}::bigint[])`)
    // A modification time in the future comes from a wrong clock, so accept the file after two equal polls.
    const age = (file: FolderFile) => now.getTime() - file.changedAt
    const quiet = new Set(
      folderFiles.filter((file) => age(file) > MIN_QUIET_MS || age(file) < 0).map(({ address }) => address),
    )
    return queuedFiles.filter(({ id, address }) => !removedIds.includes(id) && quiet.has(address))
  })
}

type FolderFile = {
  readonly address: string
  readonly name: string
  readonly version: string
  readonly bytes: number
  readonly changedAt: number
}

async function listFolder(folder: string): Promise<FolderFile[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name)).map(({ name }) => name)
  const files: FolderFile[] = []
  for (const name of names.sort().slice(0, MAX_FILES)) {
    const facts = await stat(path.join(folder, name)).catch(() => undefined)
    if (!facts) continue
    const version = `${facts.size} ${Math.round(facts.mtimeMs)}`
    files.push({ address: name, name, version, bytes: facts.size, changedAt: facts.mtimeMs })
  }
  return files
}

type ImportContext = { readonly folder: string; readonly night: string; readonly deps: FolderPollDependencies }

async function importFolderFile(db: Db, file: IntakeFile, { folder, night, deps }: ImportContext): Promise<void> {
  const { clock, confirm, importFile } = deps
  const filePath = path.join(folder, file.address)
  const settle = async (outcome: Parameters<typeof recordIntakeFileOutcome>[3]) =>
    await db.transaction(async (tx) => {
      await confirm(tx)
      const at = clock.now()
      await beginNightlyRun(tx, 'folder', night, at)
      await addNightlyRunCounts(tx, 'folder', night, { planned: 1, requests: 1 })
      await recordIntakeFileOutcome(tx, { source: 'folder', night, at }, file, outcome)
      await endNightlyRun(tx, 'folder', night, 'complete', at)
    })
  try {
    const hash = await fingerprintFile(filePath)
    await recordIntakeFileFetched(db, file.id, hash)
    await settle(
      await importIntakeFileOnce(db, { id: file.id, hash }, () => importFile({ path: filePath, name: file.name })),
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return await settle({ state: 'failed', reason: 'ไฟล์ถูกย้ายออกไปก่อนอ่านจบ' })
    throw error
  }
}
