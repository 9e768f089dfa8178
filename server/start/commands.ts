import { access } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { DirectoryReport } from '#server/catalogue/department/read-directory.ts'
import type { LoadProgress, LoadReport } from '#server/catalogue/feed/load-report.ts'
import { type IntakeAnswer, IntakeRefusal, type IntakeRequest } from '#server/catalogue/intake/commands.ts'
import { sourceKeySeal } from '#server/catalogue/intake/sources.ts'
import type { UnitReport } from '#server/catalogue/intake/units.ts'
import { adminCommand } from '#server/cli/admin.ts'
import { backupCommand, restoreCommand } from '#server/cli/backup.ts'
import { type Copying, copyDocumentsCommand } from '#server/cli/copy-documents.ts'
import { documentsCommand } from '#server/cli/documents.ts'
import { importCommand } from '#server/cli/import.ts'
import { intakeCommand } from '#server/cli/intake.ts'
import type { Terminal } from '#server/cli/terminal.ts'
import { readDocument } from '#server/documents/read-document.ts'
import { copyDocuments, missingIn, namedHashes } from '#server/documents/store/copy-documents.ts'
import { createS3Store } from '#server/documents/store/s3-store.ts'
import type { ControlCommand } from '#server/http/operate/control.ts'
import { type BackupReport, makeBackup, type RestoreReport, restoreFile } from '#server/jobs/backup-file.ts'
import type { BudgetImportReport } from '#server/jobs/intake/import-budget.ts'
import type { ImportReport, ImportRequest } from '#server/jobs/intake/import-directory.ts'
import { importAny } from '#server/jobs/intake/import-directory.ts'
import { RESTARTABLE_JOBS } from '#server/jobs/job-kinds.ts'
import { runNightlyLoad } from '#server/jobs/load/nightly-load.ts'
import { retireSample, runRetirement } from '#server/jobs/load/retire-sample.ts'
import { COMMAND_LINE } from '#server/operation/admin/admin-audit.ts'
import { runAdmin } from '#server/operation/admin/admin-commands.ts'
import type { AdminAnswer, AdminRequest, RetireRequest } from '#server/operation/admin/admin-requests.ts'
import { operateSource } from '#server/operation/operate-source.ts'
import { type BackupProgress, BackupRefused } from '#server/platform/engine/backup/backup-format.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openDirectDb } from '#server/platform/engine/open-db.ts'
import { createOutgoingMail, type OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { reportLines, showLoadProgress } from '../cli/load-progress.ts'
import { secretsOf } from './auth-secret.ts'
import { giveWay } from './give-way.ts'
import { documentsFolder } from './open-documents.ts'
import type { Settings } from './settings.ts'
import { withDatabase } from './with-database.ts'

/** Reads a line from standard input; on a terminal it prints the prompt and disables echo. */
async function readSecret(question: string): Promise<string> {
  const isTty = process.stdin.isTTY === true
  if (isTty) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTty })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTty) process.stderr.write('\n')
  }
}

type Loader = (onProgress: (progress: LoadProgress) => void) => Promise<LoadReport>

async function loadCommand(load: Loader, terminal: Terminal): Promise<void> {
  const report = await load(showLoadProgress(terminal))
  for (const line of reportLines(report)) terminal.log(line)
}

type Progress = (progress: LoadProgress) => void
type BackupShow = (progress: BackupProgress) => void
const asProgress = (show: Progress) => (event: unknown) => show(event as LoadProgress)

export async function runCommand(
  command: 'import' | 'load' | 'documents' | 'intake' | 'admin' | 'backup' | 'restore',
  args: string[],
  settings: Settings,
  terminal: Terminal,
): Promise<void> {
  switch (command) {
    case 'import':
      return await importCommand(args, (request, show) => importAnywhere(settings, request, show), terminal)
    case 'load':
      return await loadCommand((show) => loadAnywhere(settings, show), terminal)
    case 'documents':
      return await documentsCommand(args, (file) => readDocument(file), terminal)
    case 'intake':
      return await intakeCommand(args, (request) => fetchAnywhere(settings, request), terminal, readSecret)
    case 'admin':
      if (args[0] === 'copy-documents') return await copyDocumentsCommand(args.slice(1), copyingOf(settings), terminal)
      return await adminCommand(args, (request) => administerAnywhere(settings, request), terminal, readSecret)
    case 'backup':
      return await backupCommand(args, (file, show) => backUpAnywhere(settings, path.resolve(file), show), terminal)
    case 'restore':
      return await restoreCommand(args, (request, show) => restoreHere(settings, request, show), terminal)
  }
}

function importAnywhere(
  settings: Settings,
  request: ImportRequest,
  onProgress: Progress,
): Promise<ImportReport | DirectoryReport | UnitReport | BudgetImportReport> {
  // The server's working directory differs.
  const absolute: ImportRequest = { ...request, file: path.resolve(request.file) }
  return withDatabase(settings, {
    here: (db) => {
      giveWay()
      return importAny(db, absolute, { onProgress, dataDir: settings.dataDir })
    },
    there: { command: 'import', args: absolute, onEvent: asProgress(onProgress) },
  })
}

function loadAnywhere(settings: Settings, onProgress: Progress): Promise<LoadReport> {
  return withDatabase(settings, {
    here: (db) => runNightlyLoad(db, { onProgress }),
    there: { command: 'load', args: null, onEvent: asProgress(onProgress) },
  })
}

function fetchAnywhere(settings: Settings, request: IntakeRequest): Promise<IntakeAnswer> {
  return withDatabase(settings, {
    here: async (db) => fetchFrom(db, request, await secretsOf(settings)),
    there: { command: 'intake', args: request },
  })
}

/** Copies from this process, even while a server is running and may use the folder. */
function copyingOf(settings: Settings): Copying | undefined {
  if (!settings.documentBucket) return undefined
  const folder = documentsFolder(settings)
  const bucket = createS3Store(settings.documentBucket, { folder })
  return {
    copy: (onProgress) => copyDocuments(folder, bucket, onProgress),
    missing: async () =>
      await missingIn(
        bucket,
        await withDatabase(settings, {
          here: (db) => namedHashes(db),
          there: { command: 'document-hashes', args: null },
        }),
      ),
  }
}

function administerAnywhere(settings: Settings, request: AdminRequest | RetireRequest): Promise<AdminAnswer> {
  return withDatabase(settings, {
    here: async (db) => administer(db, settings, await secretsOf(settings), request),
    there: { command: 'admin', args: request },
  })
}

/** A source refused because of the demo data is fetched again once that is removed, if requested. */
async function fetchFrom(
  db: OpenDb,
  request: IntakeRequest,
  secrets: readonly [string, ...string[]],
): Promise<IntakeAnswer> {
  const operate = () => operateSource({ db, by: COMMAND_LINE, seal: sourceKeySeal(secrets) }, request)
  try {
    return await operate()
  } catch (error) {
    const isInTheWay = error instanceof IntakeRefusal && error.reason === 'sample_in'
    if (!isInTheWay || request.command !== 'on' || !request.retireSample) throw error
    await retireSample(db)
    return await operate()
  }
}

function administer(
  db: OpenDb,
  settings: Settings,
  secrets: readonly [string, ...string[]],
  request: AdminRequest | RetireRequest,
): Promise<AdminAnswer> {
  if (request.do === 'retire-sample') return runRetirement(db, request)
  const mails = adminMail(settings, secrets)
  return runAdmin({ db, mails, by: COMMAND_LINE, restartable: RESTARTABLE_JOBS }, request)
}

type BackupRequest = { readonly file: string; readonly key?: string | undefined }

async function backUpAnywhere(settings: Settings, file: string, onProgress: BackupShow): Promise<BackupReport> {
  await assertDatabase(settings)
  const key = settings.backupKey
  // Send the key to the running server, which may have been started without it: only its owner can access the socket.
  const args: BackupRequest = { file, key }
  return await withDatabase(settings, {
    unmigrated: true,
    here: (db) => makeBackup(db, file, { alongside: false, key, onProgress }),
    there: { command: 'backup', args, onEvent: (event) => onProgress(event as BackupProgress) },
  })
}

/** A backup attempt must not create an empty database. */
async function assertDatabase({ databaseUrl, dataDir }: Settings): Promise<void> {
  if (databaseUrl !== undefined) return
  const version = path.join(dataDir, 'pglite', 'PG_VERSION')
  await access(version).catch(() =>
    Promise.reject(new BackupRefused(`there is no database in ${path.resolve(dataDir)}`)),
  )
}

/** Never runs in a server, because it deletes the existing data. */
async function restoreHere(
  settings: Settings,
  { file, replace }: { file: string; replace: boolean },
  onProgress: BackupShow,
): Promise<RestoreReport> {
  const db = await openDirectDb(settings)
  try {
    return await restoreFile(db, file, { replace, key: settings.backupKey, onProgress })
  } finally {
    await db.close()
  }
}

/** For mails about operator actions. Without a public URL the server is on this machine. */
function adminMail({ publicUrl, port }: Settings, secrets: readonly [string, ...string[]]): OutgoingMail {
  return createOutgoingMail({ secrets, baseUrl: () => publicUrl ?? `http://localhost:${port}` })
}

/**
 * The commands that a running server executes for the command line (all but restore). Arguments are not validated: only
 * the owner can access the socket.
 */
export function controlCommands(
  db: OpenDb,
  settings: Settings,
  secrets: readonly [string, ...string[]],
): Record<string, ControlCommand> {
  return {
    import: (args, { emit, signal }) =>
      importAny(db, args as ImportRequest, { onProgress: emit, signal, dataDir: settings.dataDir }),
    load: (_args, { emit, signal }) => runNightlyLoad(db, { onProgress: emit, signal }),
    intake: (args) => fetchFrom(db, args as IntakeRequest, secrets),
    admin: (args) => administer(db, settings, secrets, args as AdminRequest | RetireRequest),
    'document-hashes': () => namedHashes(db),
    backup: (args, { emit, signal }) => {
      const { file, key = settings.backupKey } = args as BackupRequest
      return makeBackup(db, file, { alongside: true, key, onProgress: emit, signal })
    },
  }
}
