import { existsSync } from 'node:fs'
import path from 'node:path'
import type { SampleLogin } from '#contract/account/session.ts'
import { SAMPLE_ACCOUNTS, SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { isSampleRetired } from '#server/account/demo/sample-only.ts'
import type { Terminal } from '#server/cli/terminal.ts'
import { findTesseract } from '#server/documents/picture/tesseract.ts'
import { buildApp } from '#server/http/app.ts'
import { type HttpSettings, scaledLimits } from '#server/http/http-settings.ts'
import { createDrain } from '#server/http/limit/drain.ts'
import { startControl } from '#server/http/operate/control.ts'
import { JOB_KINDS, RESTARTABLE_JOBS } from '#server/jobs/job-kinds.ts'
import { termModel } from '#server/matching/meaning/term-model.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openReplicas } from '#server/platform/engine/replicas.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { secretsOf } from './auth-secret.ts'
import { closeHttp, ownUrl } from './close-http.ts'
import { controlCommands } from './commands.ts'
import { controlSocketPath } from './control-socket-path.ts'
import { documentsFolder, openDocuments } from './open-documents.ts'
import { createSampleArrival, type SampleArrival } from './sample-arrival.ts'
import { hasOutbox, startSchedules } from './schedules.ts'
import { beginWhenEmpty, seedWhenEmpty } from './seed.ts'
import { logLevelOf, type Settings } from './settings.ts'
import { tellDatabase } from './tell-database.ts'
import { pushPartsOf } from './vapid-keys.ts'
import { openServed } from './with-database.ts'

type Secrets = readonly [string, ...string[]]

const DIST = path.join(import.meta.dirname, '../../dist')

export type RunningServer = {
  announce(): void
  stop(): Promise<void>
}

/**
 * Opens the database, migrates, seeds and listens. Rejects when the port is in use, the data folder is locked or too
 * small, or the database is unreachable. `opening`: the database, if it is already being opened.
 */
export async function serve(
  settings: Settings,
  terminal: Terminal,
  opening: Promise<OpenDb> = openServed(settings),
): Promise<RunningServer> {
  const primary = await opening
  const replicas = settings.replicaUrls.length > 0 ? await openReplicas(primary, settings.replicaUrls) : undefined
  const db = replicas?.db ?? primary
  try {
    const arrival = settings.seed === 'sample' ? await beginSeeding(db, settings, terminal) : undefined
    // Retired demo accounts are not offered.
    const shown = { ...settings, ...((await isSampleRetired(db)) && { seed: 'none' as const }) }
    const secrets = await secretsOf(settings)
    const address = () => ownUrl(settings, app.server.address())
    const drain = createDrain()
    const store = openDocuments(settings)
    const push = await pushPartsOf(settings)
    const tesseract = await findTesseract(settings.tesseract)
    // Loading takes 0.1 to 0.2 s of blocking work, so do it before the first request.
    termModel()
    const app: RouteApp = await buildApp({
      db,
      replicas,
      settings: {
        ...httpSettings(shown, secrets, address),
        documentStore: store,
        push,
        channels: settings.line ? ['push', 'line'] : ['push'],
        hasMail: settings.smtpUrl !== undefined || hasOutbox(settings),
        readsPictures: tesseract !== undefined,
        ...(arrival && { sampleProgress: arrival.progress }),
      },
      drain,
    })
    await app.listen({ port: settings.port, host: settings.host })
    const control =
      db.engine === 'pglite'
        ? await startControl(controlSocketPath(settings.dataDir), controlCommands(db, settings, secrets))
        : undefined
    arrival?.start(app.log)
    const schedules = settings.jobs
      ? startSchedules(db, settings, {
          ...{ store, push, secrets, baseUrl: address, log: app.log, tesseract },
          memory: app.heldMemory.report,
          awards: app.heldMemory.awards,
        })
      : undefined
    // Since process start including module loading: the time the operator waited.
    const seconds = process.uptime()
    const notes: string[] = []
    await tellDatabase(primary, settings, { log: (text) => notes.push(text) })
    return {
      announce: () =>
        announce(shown, address(), terminal, { notes, seconds, arriving: arrival?.progress() !== undefined }),
      async stop() {
        const drained = drain.begin(settings.drainSeconds)
        await Promise.all([drained.then(() => closeHttp(app)), control?.close(), schedules?.stop(), arrival?.stop()])
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

async function beginSeeding(db: OpenDb, { seedWait }: Settings, terminal: Terminal): Promise<SampleArrival> {
  await (seedWait ? seedWhenEmpty(db, terminal) : beginWhenEmpty(db, terminal))
  return await createSampleArrival(db, terminal)
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
    outbox: hasOutbox(settings),
    localWebhooks: !settings.isProduction,
    metrics: settings.metrics,
    dataDir: settings.databaseUrl === undefined ? settings.dataDir : undefined,
    documentsDir: documentsFolder(settings),
    documentQuotaMb: settings.documentQuotaMb,
    apiDocs: settings.apiDocs,
    enumeration: settings.enumeration,
    distDir: existsSync(path.join(DIST, 'index.html')) ? DIST : undefined,
    sentryDsn: settings.sentryDsn,
    contactUrl: settings.contactUrl,
    sampleLogin: sampleLoginOf(settings),
    logLevel: logLevelOf(settings),
    trustedProxies: settings.trustedProxies,
    limits: scaledLimits(settings.rateLimitFactor),
    reportMemoryMb: settings.reportMemoryMb,
    jobKinds: JOB_KINDS.map(({ kind }) => kind),
    restartableJobs: RESTARTABLE_JOBS,
  }
}

/** Demo login for the login page: never in production, and only with demo data. */
export function sampleLoginOf({
  seed,
  isProduction,
}: Pick<Settings, 'seed' | 'isProduction'>): SampleLogin | undefined {
  return seed === 'sample' && !isProduction ? { password: SAMPLE_PASSWORD, accounts: SAMPLE_ACCOUNTS } : undefined
}

function announce(
  settings: Settings,
  url: string,
  terminal: Terminal,
  { notes, seconds, arriving }: { notes: readonly string[]; seconds: number; arriving: boolean },
): void {
  terminal.log(`ตามงาน is ready after ${seconds.toFixed(1)} s: ${url}`)
  for (const note of notes) terminal.log(note)
  if (hasOutbox(settings)) terminal.log(`Mails are kept here until SMTP_URL is set: ${url}/outbox`)
  else if (settings.smtpUrl === undefined) terminal.log('SMTP_URL is not set: nobody can register or reset a password.')
  if (settings.seed !== 'sample') return
  if (arriving) terminal.log('Older projects of the sample are still coming in; the report says how far they are.')
  terminal.log(`\nSample accounts, all with the password ${SAMPLE_PASSWORD}`)
  for (const { email, role, shows } of SAMPLE_ACCOUNTS)
    terminal.log(`  ${email.padEnd(32)} ${role.padEnd(12)} ${shows}`)
  terminal.log(`  without an account: ${url}/login?refkey=demo\n`)
}
