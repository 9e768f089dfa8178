import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { fingerprintFile } from '#server/catalogue/feed/file/feed-file.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { FetchParts } from './ask-json.ts'
import { type Downloaded, download } from './download.ts'
import {
  type FileOutcome,
  importOnce,
  openFiles,
  recordFetched,
  recordFile,
  requeueFiles,
  type SourceFile,
  settleFile,
  settleSame,
  type TakenIn,
} from './files.ts'
import { type ListedFile, listPackages, listYears, partsOf } from './list-files.ts'
import { countNight } from './nights.ts'
import { type PacedRound, type RoundEnd, runPaced } from './paced-round.ts'
import type { IntakeSource } from './sources.ts'

export type DownloadParts = FetchParts & {
  /** Imports projects or agencies from a file. Rejects with `FeedFormatError` for an unreadable file. */
  takeIn(file: { readonly path: string; readonly name: string }): Promise<TakenIn>
}

/** The largest known file of the catalogue is 0.6 GB. */
const MOST_BYTES = 4 * 2 ** 30
/** After this many interruptions in a night, a file waits for the next night. */
const MOST_TRIES = 5
/** The remaining time is estimated only after this much download time. */
const KNOWN_AFTER_MS = 2_000

/** Runs one turn of a download source: lists its files, then fetches and imports the changed ones one by one. */
export async function runDownloads(db: Db, name: IntakeSource, parts: DownloadParts): Promise<RoundEnd> {
  return await runPaced(db, name, parts, {
    async turn(round) {
      if (round.source.listedNight !== round.night.night) await listAll(round, parts)
      for (const file of await openFiles(db, name)) {
        await round.checkTurn()
        await getAndTakeIn(round, file, parts)
      }
      return await round.end('complete')
    },
  })
}

async function listAll(round: PacedRound, { get }: FetchParts): Promise<void> {
  const wanted = partsOf(round.source, bangkokToday(round.now()))
  const files: readonly ListedFile[] =
    round.name === 'ocds' ? listYears(round.source.address, wanted) : await listPackages(round, get, wanted)
  await round.write(async (tx) => {
    const at = round.now()
    for (const file of files) await recordFile(tx, round.name, file, at)
    await requeueFiles(
      tx,
      round.name,
      files.map((file) => file.address),
    )
    const waiting = await openFiles(tx, round.name)
    for (const { address: where, unavailable } of files) {
      const file = waiting.find((one) => one.address === where)
      if (unavailable !== undefined && file)
        await settleFile(tx, told(round), file, { state: 'failed', reason: unavailable })
    }
    await countNight(tx, round.name, round.night.night, { planned: waiting.length })
    await tx.execute(
      sql`update intake_sources set listed_night = ${round.night.night}::date, last_answer_at = ${at.toISOString()}::timestamptz where source = ${round.name}`,
    )
  })
}

const told = (round: PacedRound) => ({ source: round.name, night: round.night.night, at: round.now() })

async function getAndTakeIn(round: PacedRound, file: SourceFile, parts: DownloadParts): Promise<void> {
  const folder = path.join(parts.dataDir, 'intake', round.name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const where = path.join(folder, `${file.id}.part`)
  const settle = async (outcome: FileOutcome) => {
    await round.write((tx) => settleFile(tx, told(round), file, outcome))
    await rm(where, { force: true })
  }
  const isHere = file.state === 'fetched' && (await stat(where).catch(() => undefined)) !== undefined
  let { hash } = file
  if (!isHere) {
    const got = await fetchFile(round, file, where, parts)
    if (got === 'same') return await round.write((tx) => settleSame(tx, told(round), file))
    if (typeof got === 'object') return await settle(got)
    hash = got
    await round.write((tx) => recordFetched(tx, file.id, got))
  }
  await settle(await importOnce(round.db, { id: file.id, hash }, () => parts.takeIn({ path: where, name: file.name })))
}

/** Returns the SHA-256 of the downloaded file, 'same' when the server answered 304, or why the download failed. */
async function fetchFile(
  round: PacedRound,
  file: SourceFile,
  where: string,
  { get, signal, progress }: DownloadParts,
): Promise<string | 'same' | FileOutcome> {
  let tries = file.tries
  let { validator } = file
  for (;;) {
    await round.takeTurn()
    const begun = round.parts.clock.elapsed()
    let first: number | undefined
    const got: Downloaded = await download(get, {
      ...{ address: new URL(file.address), host: round.host, path: where, validator, signal, mostBytes: MOST_BYTES },
      isConditional: file.hash !== null,
      onHead: async (next, total) => {
        validator = next
        await round.write((tx) =>
          tx.execute(sql`
            update intake_files set validator = ${next}, bytes = coalesce(${total}::bigint, bytes), hash = null where id = ${file.id}::bigint`),
        )
      },
      onBytes: (done, total) => {
        first ??= done
        const ms = round.parts.clock.elapsed() - begun
        const isKnown = total !== null && ms > KNOWN_AFTER_MS && done > first
        const secondsLeft = isKnown ? ((ms / 1000) * (total - done)) / (done - first) : null
        progress({ unit: 'bytes', done, total: total ?? done, secondsLeft })
      },
      isTurnOver: round.isTurnOver,
    })
    switch (got.kind) {
      case 'whole':
        return await fingerprintFile(where)
      case 'same':
        return 'same'
      case 'paused':
        await round.checkTurn()
        continue
      case 'gone':
      case 'forbidden':
        return { state: 'failed', reason: got.reason }
      case 'page':
        return { state: 'failed', reason: 'ได้หน้าเว็บแทนไฟล์ข้อมูล' }
      case 'broken':
        tries += 1
        await round.write((tx) =>
          tx.execute(sql`update intake_files set tries = ${tries}::int where id = ${file.id}::bigint`),
        )
        if (tries >= MOST_TRIES) return { state: 'failed', reason: `ขาดตอน ${tries} ครั้ง (${got.reason})` }
        continue
      default:
        await round.fault(got)
    }
  }
}
