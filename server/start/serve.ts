import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Terminal } from '#server/cli/terminal.ts'
import type { Db } from '#server/db/db.ts'
import { SAMPLE_ACCOUNTS, SAMPLE_PASSWORD } from '#server/features/organisation/sample-organisations.ts'
import { buildApp } from '#server/http/app.ts'
import { startControl } from '#server/http/control.ts'
import { type HttpSettings, scaledLimits } from '#server/http/http-settings.ts'
import { scheduleBudget } from '#server/jobs/budget-schedule.ts'
import { scheduleExports } from '#server/jobs/export-schedule.ts'
import { scheduleMails } from '#server/jobs/mail-schedule.ts'
import { scheduleMatching } from '#server/jobs/match-schedule.ts'
import { scheduleNightlyLoad } from '#server/jobs/nightly-schedule.ts'
import type { Schedule } from '#server/jobs/repeat-work.ts'
import { reportMailParts } from '#server/jobs/report-mail-parts.ts'
import { scheduleReportMailing } from '#server/jobs/report-mail-schedule.ts'
import { createSmtpTransport, localOutbox } from '#server/mail/smtp-transport.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { secretsOf } from './auth-secret.ts'
import { controlCommands } from './commands.ts'
import { controlSocketPath } from './control-socket-path.ts'
import { seedWhenEmpty } from './seed.ts'
import type { Settings } from './settings.ts'
import { openMigrated } from './with-database.ts'

type Secrets = readonly [string, ...string[]]

const DIST = path.join(import.meta.dirname, '../../dist')
/** Requests under way get this long when the server stops (R51). */
const STOP_WITHIN_MS = 10_000

export type RunningServer = {
  /** Prints where it is and who may log in. */
  announce(): void
  stop(): Promise<void>
}

/** Opens, migrates, seeds and listens. Rejects when the port is taken, the data folder is in use or the database is away. */
export async function serve(settings: Settings, terminal: Terminal): Promise<RunningServer> {
  const db = await openMigrated(settings)
  try {
    if (settings.seed === 'sample') await seedWhenEmpty(db, terminal)
    const secrets = await secretsOf(settings)
    const app: RouteApp = await buildApp({
      db,
      settings: httpSettings(settings, secrets, () => urlOf(settings, app.server.address())),
    })
    await app.listen({ port: settings.port, host: settings.host })
    const control =
      db.engine === 'pglite'
        ? await startControl(controlSocketPath(settings.dataDir), controlCommands(db, settings, secrets))
        : undefined
    const schedule = scheduleNightlyLoad(db, app.log)
    const matching = scheduleMatching(db, app.log)
    const budget = scheduleBudget(db, app.log)
    const exports = scheduleExports(db, app.log)
    const mails = scheduleMailDelivery(db, settings, secrets, app.log)
    const mailParts = reportMailParts(secrets, () => urlOf(settings, app.server.address()))
    const reportMails = scheduleReportMailing(db, mailParts, app.log)
    // Since the process began, its own loading included: what a person waited for.
    const seconds = process.uptime()
    return {
      announce: () => announce(settings, urlOf(settings, app.server.address()), terminal, seconds),
      async stop() {
        await control?.close()
        await Promise.all([
          closeHttp(app),
          schedule.stop(),
          matching.stop(),
          budget.stop(),
          exports.stop(),
          reportMails.stop(),
          mails?.stop(),
        ])
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

async function closeHttp(app: RouteApp): Promise<void> {
  // A connection that got its last answer stays open for the next request, which will never come.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100)
  const late = setTimeout(() => app.server.closeAllConnections(), STOP_WITHIN_MS)
  await app.close()
  clearInterval(idle)
  clearTimeout(late)
}

function httpSettings(settings: Settings, authSecrets: Secrets, mailBaseUrl: () => string): HttpSettings {
  return {
    authSecrets,
    publicUrl: settings.publicUrl,
    embeddings: settings.embeddings,
    mailBaseUrl,
    outbox: hasOutbox(settings),
    enumeration: settings.enumeration,
    distDir: existsSync(path.join(DIST, 'index.html')) ? DIST : undefined,
    sentryDsn: settings.sentryDsn,
    logLevel: settings.logLevel ?? (settings.isProduction ? 'info' : 'warn'),
    trustedProxies: settings.trustedProxies,
    limits: scaledLimits(settings.rateLimitFactor),
  }
}

/** The address that people use. */
function urlOf(settings: Settings, address: unknown): string {
  const port = typeof address === 'object' && address !== null && 'port' in address ? address.port : settings.port
  const host = settings.host === '127.0.0.1' || settings.host === '0.0.0.0' ? 'localhost' : settings.host
  return settings.publicUrl ?? `http://${host}:${port}`
}

/** Mails hold codes and links that open accounts: readable in the browser on a developer's machine only. */
const hasOutbox = ({ smtpUrl, isProduction }: Settings) => smtpUrl === undefined && !isProduction

/** Undefined in production without a mail server: what is queued waits for one. */
function scheduleMailDelivery(
  db: Db,
  settings: Settings,
  secrets: Secrets,
  log: RouteApp['log'],
): Schedule | undefined {
  const { smtpUrl, mailFrom, publicUrl } = settings
  const host = new URL(publicUrl ?? 'http://localhost').hostname
  const from = mailFrom ?? `ตามงาน <no-reply@${host}>`
  if (smtpUrl !== undefined)
    return scheduleMails(db, { secrets, log, transport: createSmtpTransport({ url: smtpUrl, from }) })
  return hasOutbox(settings) ? scheduleMails(db, { secrets, log, transport: localOutbox }) : undefined
}

function announce(settings: Settings, url: string, terminal: Terminal, seconds: number): void {
  terminal.log(`ตามงาน is ready after ${seconds.toFixed(1)} s: ${url}`)
  if (hasOutbox(settings)) terminal.log(`Mails are kept here until SMTP_URL is set: ${url}/outbox`)
  else if (settings.smtpUrl === undefined) terminal.log('SMTP_URL is not set: nobody can register or reset a password.')
  if (settings.seed !== 'sample') return
  terminal.log(`\nSample accounts, all with the password ${SAMPLE_PASSWORD}`)
  for (const { email, role, shows } of SAMPLE_ACCOUNTS)
    terminal.log(`  ${email.padEnd(32)} ${role.padEnd(12)} ${shows}`)
  terminal.log(`  without an account: ${url}/login?refkey=demo\n`)
}
