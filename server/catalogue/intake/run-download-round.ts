import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { fingerprintFile } from '#server/catalogue/feed/file/feed-file.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type DownloadResult, downloadSourceFile } from './download.ts'
import type { FetchJsonDependencies } from './fetch-json.ts'
import {
  type FileImportCounts,
  type IntakeFile,
  type IntakeFileOutcome,
  importIntakeFileOnce,
  listPendingIntakeFiles,
  recordIntakeFile,
  recordIntakeFileFetched,
  recordIntakeFileOutcome,
  recordIntakeFileUnchanged,
  requeueIntakeFiles,
} from './files.ts'
import type { IntakeSource } from './intake-sources.ts'
import {
  type ListedSourceFile,
  listCkanPackageFiles,
  listSourceFilesByFiscalYear,
  selectIntakeSourcePartsToFetch,
} from './list-files.ts'
import { addNightlyRunCounts } from './nightly-runs.ts'
import { type IntakeRoundResult, type PacedIntakeRound, runPacedIntakeRound } from './paced-intake-round.ts'

export type DownloadRoundDependencies = FetchJsonDependencies & {
  importFile(file: { readonly path: string; readonly name: string }): Promise<FileImportCounts>
}

/** Maximum size of a file, well above the largest known file of the catalogue (0.6 GB). */
const MAX_FILE_BYTES = 4 * 2 ** 30
const MAX_TRIES = 5
const MIN_ESTIMATE_MS = 2_000

export async function runDownloadRound(
  db: Db,
  name: IntakeSource,
  deps: DownloadRoundDependencies,
): Promise<IntakeRoundResult> {
  return await runPacedIntakeRound(db, name, deps, {
    async turn(round) {
      if (round.source.listedNight !== round.night.night) await listAll(round, deps)
      for (const file of await listPendingIntakeFiles(db, name)) {
        await round.checkTurn()
        await fetchAndImport(round, file, deps)
      }
      return await round.end('complete')
    },
  })
}

async function listAll(round: PacedIntakeRound, { get }: FetchJsonDependencies): Promise<void> {
  const requestedParts = selectIntakeSourcePartsToFetch(round.source, getBangkokToday(round.now()))
  const files: readonly ListedSourceFile[] =
    round.name === 'ocds'
      ? listSourceFilesByFiscalYear(round.source.address, requestedParts)
      : await listCkanPackageFiles(round, get, requestedParts)
  await round.write(async (tx) => {
    const at = round.now()
    for (const file of files) await recordIntakeFile(tx, round.name, file, at)
    await requeueIntakeFiles(
      tx,
      round.name,
      files.map((file) => file.address),
    )
    const waiting = await listPendingIntakeFiles(tx, round.name)
    for (const { address: fileAddress, unavailable } of files) {
      const file = waiting.find((waitingFile) => waitingFile.address === fileAddress)
      if (unavailable !== undefined && file)
        await recordIntakeFileOutcome(tx, nightContext(round), file, { state: 'failed', reason: unavailable })
    }
    await addNightlyRunCounts(tx, round.name, round.night.night, { planned: waiting.length })
    await tx.execute(
      sql`update intake_sources set listed_night = ${round.night.night}::date, last_answer_at = ${at.toISOString()}::timestamptz where source = ${round.name}`,
    )
  })
}

const nightContext = (round: PacedIntakeRound) => ({ source: round.name, night: round.night.night, at: round.now() })

async function fetchAndImport(
  round: PacedIntakeRound,
  file: IntakeFile,
  deps: DownloadRoundDependencies,
): Promise<void> {
  const folder = path.join(deps.dataDir, 'intake', round.name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const filePath = path.join(folder, `${file.id}.part`)
  const settle = async (outcome: IntakeFileOutcome) => {
    await round.write((tx) => recordIntakeFileOutcome(tx, nightContext(round), file, outcome))
    await rm(filePath, { force: true })
  }
  const isHere = file.state === 'fetched' && (await stat(filePath).catch(() => undefined)) !== undefined
  let { hash } = file
  if (!isHere) {
    const result = await fetchFile(round, file, filePath, deps)
    if (result === 'same') return await round.write((tx) => recordIntakeFileUnchanged(tx, nightContext(round), file))
    if (typeof result === 'object') return await settle(result)
    hash = result
    await round.write((tx) => recordIntakeFileFetched(tx, file.id, result))
  }
  await settle(
    await importIntakeFileOnce(round.db, { id: file.id, hash }, () =>
      deps.importFile({ path: filePath, name: file.name }),
    ),
  )
}

async function fetchFile(
  round: PacedIntakeRound,
  file: IntakeFile,
  filePath: string,
  { get, signal, progress }: DownloadRoundDependencies,
): Promise<string | 'same' | IntakeFileOutcome> {
  let tries = file.tries
  let { validator } = file
  for (;;) {
    await round.takeTurn()
    const startedAt = round.deps.clock.elapsed()
    let firstBytes: number | undefined
    const result: DownloadResult = await downloadSourceFile(get, {
      ...{
        address: new URL(file.address),
        host: round.host,
        path: filePath,
        validator,
        signal,
        maxBytes: MAX_FILE_BYTES,
      },
      isConditional: file.hash !== null,
      onHead: async (newValidator, total) => {
        validator = newValidator
        await round.write((tx) =>
          tx.execute(sql`
            update intake_files set validator = ${newValidator}, bytes = coalesce(${total}::bigint, bytes), hash = null where id = ${file.id}::bigint`),
        )
      },
      onBytes: (done, total) => {
        firstBytes ??= done
        const ms = round.deps.clock.elapsed() - startedAt
        const canEstimate = total !== null && ms > MIN_ESTIMATE_MS && done > firstBytes
        const secondsLeft = canEstimate ? ((ms / 1000) * (total - done)) / (done - firstBytes) : null
        progress({ unit: 'bytes', done, total: total ?? done, secondsLeft })
      },
      isTurnOver: round.isTurnOver,
    })
    switch (result.kind) {
      case 'whole':
        return await fingerprintFile(filePath)
      case 'same':
        return 'same'
      case 'paused':
        await round.checkTurn()
        continue
      case 'gone':
      case 'forbidden':
        return { state: 'failed', reason: result.reason }
      case 'page':
        return { state: 'failed', reason: 'ได้หน้าเว็บแทนไฟล์ข้อมูล' }
      case 'broken':
        tries += 1
        await round.write((tx) =>
          tx.execute(sql`update intake_files set tries = ${tries}::int where id = ${file.id}::bigint`),
        )
        if (tries >= MAX_TRIES) return { state: 'failed', reason: `ขาดตอน ${tries} ครั้ง (${result.reason})` }
        continue
      default:
        await round.fault(result)
    }
  }
}
