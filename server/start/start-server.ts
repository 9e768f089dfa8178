import { existsSync } from 'node:fs'
import path from 'node:path'
import type { DemoLogin } from '#contract/account/session.ts'
import { demoDataSetup } from '#sample/sample.ts'
import { isDemoDataAllowed } from '#server/account/demo/is-demo-data-allowed.ts'
import type { CommandLineOutput } from '#server/cli/terminal.ts'
import { findTesseract } from '#server/documents/picture/tesseract.ts'
import { buildApp } from '#server/http/app.ts'
import { type HttpSettings, scaleRateLimits } from '#server/http/http-settings.ts'
import { createServerDrain } from '#server/http/limit/server-drain.ts'
import { startControlServer } from '#server/http/operate/start-control-server.ts'
import { JOB_KINDS, RESTARTABLE_JOB_KINDS } from '#server/jobs/job-kinds.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { openDatabaseReplicas } from '#server/platform/engine/database-replicas.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runPeriodically } from '#server/platform/queue/run-periodically.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { resolveAuthSecrets } from './auth-secret.ts'
import { closeHttpServer, getServerUrl } from './close-http-server.ts'
import { getControlSocketPath } from './control-socket-path.ts'
import { createDemoDataLoader, type DemoDataLoader } from './demo-data-loader.ts'
import { logDatabaseWarnings } from './log-database-warnings.ts'
import { getDocumentsFolder, openDocumentStore } from './open-document-store.ts'
import { createControlSocketCommands } from './run-command.ts'
import { getLogLevel, type Settings } from './settings.ts'
import { hasBrowserMailOutbox, startBackgroundWork } from './start-background-work.ts'
import { createPushSendingDependencies } from './vapid-keys.ts'
import { openServerDatabase } from './with-database.ts'

type Secrets = readonly [string, ...string[]]

const DIST = path.join(import.meta.dirname, '../../dist')

const PRELOAD_INTERVAL_MS = 60_000

export type RunningServer = {
  announce(): void
  stop(): Promise<void>
}

/**
 * Opens the database, migrates, seeds and listens. Rejects when the port is in use, the data folder is locked or too
 * small, or the database is unreachable. Opens the database only now, because loading modules blocks a slow machine for
 * longer than a connection may take.
 */
export async function startServer(settings: Settings, terminal: CommandLineOutput): Promise<RunningServer> {
  const primary = await openServerDatabase(settings)
  const replicas =
    settings.replicaUrls.length > 0 ? await openDatabaseReplicas(primary, settings.replicaUrls) : undefined
  const db = replicas?.db ?? primary
  try {
    const arrival = settings.seed === 'sample' ? await startSeeding(db, settings, terminal) : undefined
    const effectiveSettings = { ...settings, ...(!(await isDemoDataAllowed(db)) && { seed: 'none' as const }) }
    const secrets = await resolveAuthSecrets(settings)
    const address = () => getServerUrl(settings, app.server.address())
    const drain = createServerDrain()
    const store = openDocumentStore(settings)
    const push = await createPushSendingDependencies(settings)
    const tesseract = await findTesseract(settings.tesseract)
    // Loading the term model blocks for 0.1 to 0.2 s, so do it before the first request.
    loadDefaultTermModel()
    const app: RouteApp = await buildApp({
      db,
      replicas,
      settings: {
        ...httpSettings(effectiveSettings, secrets, address),
        documentStore: store,
        push,
        channels: settings.line ? ['push', 'line'] : ['push'],
        hasMail: settings.smtpUrl !== undefined || hasBrowserMailOutbox(settings),
        readsPictures: tesseract !== undefined,
        ...(arrival && { sampleProgress: arrival.progress }),
      },
      drain,
    })
    await app.listen({ port: settings.port, host: settings.host })
    const control =
      db.engine === 'pglite'
        ? await startControlServer(
            getControlSocketPath(settings.dataDir),
            createControlSocketCommands(db, settings, secrets),
          )
        : undefined
    arrival?.start(app.log)
    const schedules = settings.jobs
      ? startBackgroundWork(db, settings, {
          ...{ store, push, secrets, baseUrl: address, log: app.log, tesseract },
          reports: createReportEngine(db, app.queryCaches.report),
          awards: app.queryCaches.awards,
        })
      : undefined
    const preloads = runPeriodically({
      everyMs: PRELOAD_INTERVAL_MS,
      work: (signal) => app.cachePreloads.run(signal),
      onFailure: (error) => app.log.warn({ err: error }, 'caches not preloaded: the first requests load them'),
    })
    // Since the process started, including module loading: that is how long the operator waited.
    const seconds = process.uptime()
    const notes: string[] = []
    await logDatabaseWarnings(primary, settings, { log: (text) => notes.push(text) })
    return {
      announce: () =>
        logReady(effectiveSettings, address(), terminal, {
          notes,
          seconds,
          arriving: arrival?.progress() !== undefined,
        }),
      async stop() {
        const drained = drain.begin(settings.drainSeconds)
        // Not awaited: a load can take seconds, and one that fails because the database closes harms nothing.
        void preloads.stop()
        await Promise.all([
          drained.then(() => closeHttpServer(app)),
          control?.close(),
          schedules?.stop(),
          arrival?.stop(),
        ])
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

async function startSeeding(db: OpenDb, { seedWait }: Settings, terminal: CommandLineOutput): Promise<DemoDataLoader> {
  await (seedWait ? demoDataSetup.seedWhenEmpty(db, terminal) : demoDataSetup.seedFirstPartWhenEmpty(db, terminal))
  return await createDemoDataLoader(db, terminal)
}

function httpSettings(settings: Settings, authSecrets: Secrets, mailBaseUrl: () => string): HttpSettings {
  return {
    authSecrets,
    publicUrl: settings.publicUrl,
    embeddings: settings.embeddings,
    languageModel: settings.languageModel,
    line: settings.line,
    organisationLogin: settings.organisationLogin,
    mailBaseUrl,
    outbox: hasBrowserMailOutbox(settings),
    localWebhooks: !settings.isProduction,
    metrics: settings.metrics,
    dataDir: settings.databaseUrl === undefined ? settings.dataDir : undefined,
    documentsDir: getDocumentsFolder(settings),
    documentQuotaMb: settings.documentQuotaMb,
    apiDocs: settings.apiDocs,
    enumeration: settings.enumeration,
    distDir: existsSync(path.join(DIST, 'index.html')) ? DIST : undefined,
    sentryDsn: settings.sentryDsn,
    contactUrl: settings.contactUrl,
    sampleLogin: getDemoLogin(settings),
    logLevel: getLogLevel(settings),
    trustedProxies: settings.trustedProxies,
    limits: scaleRateLimits(settings.rateLimitFactor),
    reportMemoryMb: settings.reportMemoryMb,
    jobKinds: JOB_KINDS.map(({ kind }) => kind),
    restartableJobs: RESTARTABLE_JOB_KINDS,
  }
}

/** Returns the demo login offered on the login page: never in production, and only with demo data. */
export function getDemoLogin({ seed, isProduction }: Pick<Settings, 'seed' | 'isProduction'>): DemoLogin | undefined {
  return seed === 'sample' && !isProduction
    ? { password: demoDataSetup.password, accounts: demoDataSetup.accounts }
    : undefined
}

function logReady(
  settings: Settings,
  url: string,
  terminal: CommandLineOutput,
  { notes, seconds, arriving }: { notes: readonly string[]; seconds: number; arriving: boolean },
): void {
  terminal.log(`ตามงาน is ready after ${seconds.toFixed(1)} s: ${url}`)
  for (const note of notes) terminal.log(note)
  if (hasBrowserMailOutbox(settings)) terminal.log(`Mails are stored here until SMTP_URL is set: ${url}/outbox`)
  else if (settings.smtpUrl === undefined)
    terminal.log('SMTP_URL is not set: users cannot register or reset a password.')
  if (settings.seed !== 'sample') return
  if (arriving) terminal.log('Older projects of the demo data are still being imported; the report shows the progress.')
  terminal.log(`\nDemo accounts, all with the password ${demoDataSetup.password}`)
  for (const { email, role, shows } of demoDataSetup.accounts)
    terminal.log(`  ${email.padEnd(32)} ${role.padEnd(12)} ${shows}`)
  terminal.log(`  without an account: ${url}/login?refkey=demo\n`)
}
