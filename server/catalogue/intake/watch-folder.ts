import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { fingerprintFile } from '#server/catalogue/feed/file/feed-file.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { importOnce, openFiles, recordFetched, recordFile, type SourceFile, settleFile, type TakenIn } from './files.ts'
import { beginNight, countNight, endNight, recordRequest } from './nights.ts'
import type { Clock, RoundEnd } from './paced-round.ts'
import { readSource, type SourceState } from './sources.ts'
import { nextNight, nightAt } from './window.ts'

/** A file counts as complete after this long without writes, if two polls saw the same version. */
const SETTLED_MS = 20_000
const UNFINISHED = /^[.~]|\.(?:part|partial|tmp|crdownload|filepart)$/i
/** A folder with more files is probably the wrong one. */
const MOST_FILES = 1_000

export type FolderParts = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly dataDir: string
  confirm(tx: Db): Promise<void>
  /** Imports projects from a file. Rejects with `FeedFormatError` for an unreadable file. */
  takeIn(file: { readonly path: string; readonly name: string }): Promise<TakenIn>
}

/**
 * Polls the folder once. A new file is imported once, by content, after it stops growing; it stays in the folder, and
 * its row records the outcome. Links and subfolders are ignored.
 */
export async function watchFolder(db: Db, parts: FolderParts): Promise<RoundEnd> {
  const source = await readSource(db, 'folder')
  if (!source.isOn) return { until: undefined, isNightOver: true }
  const { clock, signal } = parts
  const day = nightAt(source, clock.now())
  if (!day) return { until: nextNight(source, clock.now()).begins, isNightOver: true }
  const folder = path.resolve(parts.dataDir, source.address)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const settled = await look(db, source, folder, parts)
  for (const file of settled) {
    signal.throwIfAborted()
    await takeInFile(db, file, { folder, night: day.night, parts })
  }
  return { until: new Date(clock.now().getTime() + source.paceMs), isNightOver: true }
}

async function look(
  db: Db,
  source: SourceState,
  folder: string,
  { clock, confirm }: FolderParts,
): Promise<readonly SourceFile[]> {
  const now = clock.now()
  const seen = await listFolder(folder)
  return await db.transaction(async (tx) => {
    await confirm(tx)
    await recordRequest(tx, source.source, now)
    const before = await openFiles(tx, source.source)
    for (const file of seen) await recordFile(tx, source.source, file, now)
    const versions = new Map(seen.map(({ address, version }) => [address, version]))
    // The file grew or disappeared, so the earlier version no longer exists.
    const gone = before.filter(({ address, version }) => versions.get(address) !== version).map(({ id }) => id)
    await tx.execute(sql`delete from intake_files where id = any (${gone}::bigint[])`)
    // A modification time in the future comes from a machine with a wrong clock; two equal polls must suffice then.
    const age = (file: Seen) => now.getTime() - file.changedAt
    const quiet = new Set(seen.filter((file) => age(file) > SETTLED_MS || age(file) < 0).map(({ address }) => address))
    return before.filter(({ id, address }) => !gone.includes(id) && quiet.has(address))
  })
}

type Seen = {
  readonly address: string
  readonly name: string
  readonly version: string
  readonly bytes: number
  readonly changedAt: number
}

async function listFolder(folder: string): Promise<Seen[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name)).map(({ name }) => name)
  const files: Seen[] = []
  for (const name of names.sort().slice(0, MOST_FILES)) {
    // Deleted since the listing.
    const facts = await stat(path.join(folder, name)).catch(() => undefined)
    if (!facts) continue
    const version = `${facts.size} ${Math.round(facts.mtimeMs)}`
    files.push({ address: name, name, version, bytes: facts.size, changedAt: facts.mtimeMs })
  }
  return files
}

type Place = { readonly folder: string; readonly night: string; readonly parts: FolderParts }

async function takeInFile(db: Db, file: SourceFile, { folder, night, parts }: Place): Promise<void> {
  const { clock, confirm, takeIn } = parts
  const where = path.join(folder, file.address)
  const settle = async (outcome: Parameters<typeof settleFile>[3]) =>
    await db.transaction(async (tx) => {
      await confirm(tx)
      const at = clock.now()
      await beginNight(tx, 'folder', night, at)
      await countNight(tx, 'folder', night, { planned: 1, requests: 1 })
      await settleFile(tx, { source: 'folder', night, at }, file, outcome)
      await endNight(tx, 'folder', night, 'complete', at)
    })
  try {
    const hash = await fingerprintFile(where)
    await recordFetched(db, file.id, hash)
    await settle(await importOnce(db, { id: file.id, hash }, () => takeIn({ path: where, name: file.name })))
  } catch (error) {
    // Removed while it was read.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return await settle({ state: 'failed', reason: 'ไฟล์ถูกย้ายออกไปก่อนอ่านจบ' })
    throw error
  }
}
