import Fastify from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { CommandLineOutput } from '#server/cli/terminal.ts'
import { findTesseract } from '#server/documents/picture/tesseract.ts'
import type { HttpSettings } from '#server/http/http-settings.ts'
import { createDocumentStoreCheck } from '#server/http/operate/create-document-store-check.ts'
import { createServerMetrics } from '#server/http/operate/create-metrics.ts'
import { createReadinessCheck, createReplicationWatcher } from '#server/http/operate/health.ts'
import { operationRoutes, registerMetricsRoute } from '#server/http/operate/operation-routes.ts'
import { createQueryCaches } from '#server/http/query-caches.ts'
import { createServerOptions, limitConnections } from '#server/http/server-options.ts'
import { JOB_KINDS } from '#server/jobs/job-kinds.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { resolveAuthSecrets } from './auth-secret.ts'
import { closeHttpServer, getServerUrl } from './close-http-server.ts'
import { logDatabaseWarnings } from './log-database-warnings.ts'
import { getDocumentsFolder, openDocumentStore } from './open-document-store.ts'
import { getLogLevel, type Settings } from './settings.ts'
import { SettingsError } from './settings-error.ts'
import { startBackgroundWork } from './start-background-work.ts'
import type { RunningServer } from './start-server.ts'
import { createPushSendingDependencies } from './vapid-keys.ts'
import { openMigratedDatabase } from './with-database.ts'

async function buildWorkerApp(db: Db, settings: HttpSettings): Promise<RouteApp> {
  const app: RouteApp = Fastify(createServerOptions(settings)).withTypeProvider<ZodTypeProvider>()
  limitConnections(app.server)
  createQueryCaches(app, db, settings.reportMemoryMb, { isLazy: true })
  const isReady = createReadinessCheck(db)
  const { documentStore } = settings
  operationRoutes(app, isReady, {
    areDocumentsThere: documentStore && createDocumentStoreCheck(documentStore, app.log),
    synchronousStandbys: createReplicationWatcher(db).text,
  })
  // The metrics need no token, because the worker serves them on a separate port that no public proxy forwards.
  registerMetricsRoute(
    app,
    createServerMetrics({ db, isReady, jobKinds: settings.jobKinds ?? [], filesDir: settings.documentsDir }),
    'open',
  )
  await app.ready()
  return app
}

/**
 * Starts a worker: runs jobs and serves only probes. Any number may run alongside any number of servers. Rejects
 * without PostgreSQL: the embedded database belongs to the one process that has it open.
 */
export async function startJobWorker(settings: Settings, terminal: CommandLineOutput): Promise<RunningServer> {
  if (settings.databaseUrl === undefined)
    throw new SettingsError(
      'DATABASE_URL: a worker requires PostgreSQL; with the embedded database the server runs the jobs',
    )
  const db = await openMigratedDatabase(settings)
  try {
    const secrets = await resolveAuthSecrets(settings)
    const store = openDocumentStore(settings)
    const app = await buildWorkerApp(db, {
      documentStore: store,
      documentsDir: getDocumentsFolder(settings),
      authSecrets: secrets,
      logLevel: getLogLevel(settings),
      jobKinds: JOB_KINDS.map(({ kind }) => kind),
      reportMemoryMb: settings.reportMemoryMb,
    })
    const { workerPort, host } = settings
    const address = workerPort === undefined ? undefined : await app.listen({ port: workerPort, host })
    const schedules = startBackgroundWork(db, settings, {
      push: await createPushSendingDependencies(settings),
      ...{ store, secrets, baseUrl: () => getServerUrl(settings), log: app.log },
      tesseract: await findTesseract(settings.tesseract),
      reports: createReportEngine(db),
      awards: app.queryCaches.awards,
    })
    const seconds = process.uptime()
    const notes: string[] = []
    await logDatabaseWarnings(db, settings, { log: (text) => notes.push(text) })
    return {
      announce() {
        terminal.log(`the worker is ready after ${seconds.toFixed(1)} s${address ? `: ${address}/readyz` : ''}`)
        for (const note of notes) terminal.log(note)
      },
      async stop() {
        await Promise.all([closeHttpServer(app), schedules.stop()])
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}
