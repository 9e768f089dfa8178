import { access } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { demoDataSetup } from '#sample/sample.ts'
import type { AgencyDirectoryImportReport } from '#server/catalogue/department/parse-agency-directory.ts'
import type { DataLoadProgress, DataLoadReport } from '#server/catalogue/feed/load-report.ts'
import { IntakeRejectedError, type IntakeRequest, type IntakeResult } from '#server/catalogue/intake/intake-commands.ts'
import { createIntakeSourceKeyCipher } from '#server/catalogue/intake/intake-sources.ts'
import type { PurchasingUnitImportReport } from '#server/catalogue/intake/units.ts'
import { runAdminCommand } from '#server/cli/admin.ts'
import { runBackupCommand, runRestoreCommand } from '#server/cli/backup.ts'
import { type DocumentCopier, runCopyDocumentsCommand } from '#server/cli/copy-documents-command.ts'
import { runDocumentsCommand } from '#server/cli/documents-command.ts'
import { runImportCommand } from '#server/cli/import.ts'
import { runIntakeCommand } from '#server/cli/intake.ts'
import type { CommandLineOutput } from '#server/cli/terminal.ts'
import { readDocument } from '#server/documents/read-document.ts'
import {
  copyDocumentsToBucket,
  findMissingDocumentHashes,
  loadReferencedDocumentHashes,
} from '#server/documents/store/copy-documents.ts'
import { createS3DocumentStore } from '#server/documents/store/s3-document-store.ts'
import type { ControlCommand } from '#server/http/operate/start-control-server.ts'
import {
  type BackupReport,
  createBackup,
  type RestoreReport,
  restoreDatabaseFromFile,
} from '#server/jobs/backup-file.ts'
import type { BudgetImportReport } from '#server/jobs/intake/import-budget.ts'
import type { FileImportReport, FileImportRequest } from '#server/jobs/intake/import-data-file.ts'
import { importDataFile } from '#server/jobs/intake/import-data-file.ts'
import { RESTARTABLE_JOB_KINDS } from '#server/jobs/job-kinds.ts'
import { runNightlyLoad } from '#server/jobs/load/nightly-load.ts'
import { retireDemoData, runDemoDataRetirement } from '#server/jobs/load/retire-demo-data.ts'
import type { AdminRequest, AdminResponse, RemoveDemoDataRequest } from '#server/operation/admin/admin-requests.ts'
import { COMMAND_LINE_ACTOR } from '#server/operation/admin/record-admin-event.ts'
import { runAdminRequest } from '#server/operation/admin/run-admin-request.ts'
import { runAuditedIntakeRequest } from '#server/operation/run-audited-intake.ts'
import { type BackupProgress, BackupRejectedError } from '#server/platform/engine/backup/backup-format.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openDirectDb } from '#server/platform/engine/open-db.ts'
import { createOutgoingMailQueue, type OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { formatDataLoadReport, showDataLoadProgress } from '../cli/load-progress.ts'
import { resolveAuthSecrets } from './auth-secret.ts'
import { lowerProcessPriority } from './lower-process-priority.ts'
import { getDocumentsFolder } from './open-document-store.ts'
import type { Settings } from './settings.ts'
import { runLocalOrRemoteDatabaseTask } from './with-database.ts'

async function readSecret(question: string): Promise<string> {
  const isTty = process.stdin.isTTY === true
  if (isTty) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, callback) => callback() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTty })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTty) process.stderr.write('\n')
  }
}

type Loader = (onProgress: (progress: DataLoadProgress) => void) => Promise<DataLoadReport>

async function loadCommand(load: Loader, terminal: CommandLineOutput): Promise<void> {
  const report = await load(showDataLoadProgress(terminal))
  for (const line of formatDataLoadReport(report)) terminal.log(line)
}

type Progress = (progress: DataLoadProgress) => void
type ShowBackupProgress = (progress: BackupProgress) => void
const asProgress = (show: Progress) => (event: unknown) => show(event as DataLoadProgress)

export async function runCliCommand(
  command: 'import' | 'load' | 'documents' | 'intake' | 'admin' | 'backup' | 'restore',
  args: string[],
  settings: Settings,
  terminal: CommandLineOutput,
): Promise<void> {
  switch (command) {
    case 'import':
      return await runImportCommand(args, (request, show) => importAnywhere(settings, request, show), terminal)
    case 'load':
      return await loadCommand((show) => loadAnywhere(settings, show), terminal)
    case 'documents':
      return await runDocumentsCommand(args, (file) => readDocument(file), terminal)
    case 'intake':
      return await runIntakeCommand(args, (request) => runIntakeAnywhere(settings, request), terminal, readSecret)
    case 'admin':
      if (args[0] === 'copy-documents')
        return await runCopyDocumentsCommand(args.slice(1), documentCopierOf(settings), terminal)
      return await runAdminCommand(args, (request) => administerAnywhere(settings, request), terminal, readSecret)
    case 'backup':
      return await runBackupCommand(args, (file, show) => backUpAnywhere(settings, path.resolve(file), show), terminal)
    case 'restore':
      return await runRestoreCommand(args, (request, show) => restoreHere(settings, request, show), terminal)
  }
}

function importAnywhere(
  settings: Settings,
  request: FileImportRequest,
  onProgress: Progress,
): Promise<FileImportReport | AgencyDirectoryImportReport | PurchasingUnitImportReport | BudgetImportReport> {
  const absolute: FileImportRequest = { ...request, file: path.resolve(request.file) }
  return runLocalOrRemoteDatabaseTask(settings, {
    runLocally: (db) => {
      lowerProcessPriority()
      return importDataFile(db, absolute, { onProgress, dataDir: settings.dataDir })
    },
    remoteCommand: { command: 'import', args: absolute, onEvent: asProgress(onProgress) },
  })
}

function loadAnywhere(settings: Settings, onProgress: Progress): Promise<DataLoadReport> {
  return runLocalOrRemoteDatabaseTask(settings, {
    runLocally: (db) => runNightlyLoad(db, { onProgress, nextDemoStep: demoDataSetup.nextDemoStep }),
    remoteCommand: { command: 'load', args: null, onEvent: asProgress(onProgress) },
  })
}

function runIntakeAnywhere(settings: Settings, request: IntakeRequest): Promise<IntakeResult> {
  return runLocalOrRemoteDatabaseTask(settings, {
    runLocally: async (db) => runIntakeHere(db, request, await resolveAuthSecrets(settings)),
    remoteCommand: { command: 'intake', args: request },
  })
}

/**
 * Returns a copier of documents to the bucket. It runs in this process, which works even while a server uses the
 * folder.
 */
function documentCopierOf(settings: Settings): DocumentCopier | undefined {
  if (!settings.documentBucket) return undefined
  const folder = getDocumentsFolder(settings)
  const bucket = createS3DocumentStore(settings.documentBucket, { folder })
  return {
    copy: (onProgress) => copyDocumentsToBucket(folder, bucket, onProgress),
    missing: async () =>
      await findMissingDocumentHashes(
        bucket,
        await runLocalOrRemoteDatabaseTask(settings, {
          runLocally: (db) => loadReferencedDocumentHashes(db),
          remoteCommand: { command: 'document-hashes', args: null },
        }),
      ),
  }
}

function administerAnywhere(settings: Settings, request: AdminRequest | RemoveDemoDataRequest): Promise<AdminResponse> {
  return runLocalOrRemoteDatabaseTask(settings, {
    runLocally: async (db) => administer(db, settings, await resolveAuthSecrets(settings), request),
    remoteCommand: { command: 'admin', args: request },
  })
}

async function runIntakeHere(
  db: OpenDb,
  request: IntakeRequest,
  secrets: readonly [string, ...string[]],
): Promise<IntakeResult> {
  const operate = () =>
    runAuditedIntakeRequest({ db, by: COMMAND_LINE_ACTOR, seal: createIntakeSourceKeyCipher(secrets) }, request)
  try {
    return await operate()
  } catch (error) {
    const isInTheWay = error instanceof IntakeRejectedError && error.reason === 'sample_in'
    if (!isInTheWay || request.command !== 'on' || !request.retireSample) throw error
    await retireDemoData(db)
    return await operate()
  }
}

function administer(
  db: OpenDb,
  settings: Settings,
  secrets: readonly [string, ...string[]],
  request: AdminRequest | RemoveDemoDataRequest,
): Promise<AdminResponse> {
  if (request.do === 'retire-sample') return runDemoDataRetirement(db, request, demoDataSetup.customerCodes)
  const mails = adminMail(settings, secrets)
  return runAdminRequest({ db, mails, by: COMMAND_LINE_ACTOR, restartable: RESTARTABLE_JOB_KINDS }, request)
}

type BackupRequest = { readonly file: string; readonly key?: string | undefined }

async function backUpAnywhere(settings: Settings, file: string, onProgress: ShowBackupProgress): Promise<BackupReport> {
  await assertDatabase(settings)
  const key = settings.backupKey
  // The running server may have no backup key, so send ours; only the server's owner can access the socket.
  const args: BackupRequest = { file, key }
  return await runLocalOrRemoteDatabaseTask(settings, {
    unmigrated: true,
    runLocally: (db) => createBackup(db, file, { alongside: false, key, onProgress }),
    remoteCommand: { command: 'backup', args, onEvent: (event) => onProgress(event as BackupProgress) },
  })
}

/** Throws if there is no database, because a backup would open the missing database and thereby create an empty one. */
async function assertDatabase({ databaseUrl, dataDir }: Settings): Promise<void> {
  if (databaseUrl !== undefined) return
  const version = path.join(dataDir, 'pglite', 'PG_VERSION')
  await access(version).catch(() =>
    Promise.reject(new BackupRejectedError(`there is no database in ${path.resolve(dataDir)}`)),
  )
}

/** Restores in this process. Never runs inside a server, because a restore deletes the existing data. */
async function restoreHere(
  settings: Settings,
  { file, replace }: { file: string; replace: boolean },
  onProgress: ShowBackupProgress,
): Promise<RestoreReport> {
  const db = await openDirectDb(settings)
  try {
    return await restoreDatabaseFromFile(db, file, { replace, key: settings.backupKey, onProgress })
  } finally {
    await db.close()
  }
}

/**
 * Returns the email queue for command-line use. Without a public URL the server runs on this machine, so links point to
 * localhost.
 */
function adminMail({ publicUrl, port }: Settings, secrets: readonly [string, ...string[]]): OutgoingMailQueue {
  return createOutgoingMailQueue({ secrets, baseUrl: () => publicUrl ?? `http://localhost:${port}` })
}

/**
 * The commands that a running server executes for the command line (all but restore). Arguments are not validated: only
 * the owner can access the socket.
 */
export function createControlSocketCommands(
  db: OpenDb,
  settings: Settings,
  secrets: readonly [string, ...string[]],
): Record<string, ControlCommand> {
  return {
    import: (args, { emit, signal }) =>
      importDataFile(db, args as FileImportRequest, { onProgress: emit, signal, dataDir: settings.dataDir }),
    load: (_args, { emit, signal }) =>
      runNightlyLoad(db, { onProgress: emit, signal, nextDemoStep: demoDataSetup.nextDemoStep }),
    intake: (args) => runIntakeHere(db, args as IntakeRequest, secrets),
    admin: (args) => administer(db, settings, secrets, args as AdminRequest | RemoveDemoDataRequest),
    'document-hashes': () => loadReferencedDocumentHashes(db),
    backup: (args, { emit, signal }) => {
      const { file, key = settings.backupKey } = args as BackupRequest
      return createBackup(db, file, { alongside: true, key, onProgress: emit, signal })
    },
  }
}
