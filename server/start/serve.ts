import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Terminal } from '#server/cli/terminal.ts'
import { SAMPLE_ACCOUNTS, SAMPLE_PASSWORD } from '#server/features/organisation/sample-organisations.ts'
import { buildApp } from '#server/http/app.ts'
import { startControl } from '#server/http/control.ts'
import { type HttpSettings, scaledLimits } from '#server/http/http-settings.ts'
import { scheduleNightlyLoad } from '#server/jobs/nightly-schedule.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { keptAuthSecret } from './auth-secret.ts'
import { controlCommands } from './commands.ts'
import { controlSocketPath } from './control-socket-path.ts'
import { seedWhenEmpty } from './seed.ts'
import type { Settings } from './settings.ts'
import { openMigrated } from './with-database.ts'

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
    const app = await buildApp({ db, settings: await httpSettings(settings) })
    await app.listen({ port: settings.port, host: settings.host })
    const control =
      db.engine === 'pglite'
        ? await startControl(controlSocketPath(settings.dataDir), controlCommands(db, settings))
        : undefined
    const schedule = scheduleNightlyLoad(db, app.log)
    // Since the process began, its own loading included: what a person waited for.
    const seconds = process.uptime()
    return {
      announce: () => announce(settings, app.server.address(), terminal, seconds),
      async stop() {
        await control?.close()
        await Promise.all([closeHttp(app), schedule.stop()])
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

async function httpSettings(settings: Settings): Promise<HttpSettings> {
  const [first, ...older] = settings.authSecrets
  const authSecrets: [string, ...string[]] =
    first === undefined ? [await keptAuthSecret(settings.dataDir)] : [first, ...older]
  return {
    authSecrets,
    publicUrl: settings.publicUrl,
    distDir: existsSync(path.join(DIST, 'index.html')) ? DIST : undefined,
    sentryDsn: settings.sentryDsn,
    logLevel: settings.logLevel ?? (settings.isProduction ? 'info' : 'warn'),
    trustedProxies: settings.trustedProxies,
    limits: scaledLimits(settings.rateLimitFactor),
  }
}

function announce(settings: Settings, address: unknown, terminal: Terminal, seconds: number): void {
  const port = typeof address === 'object' && address !== null && 'port' in address ? address.port : settings.port
  const host = settings.host === '127.0.0.1' || settings.host === '0.0.0.0' ? 'localhost' : settings.host
  const url = settings.publicUrl ?? `http://${host}:${port}`
  terminal.log(`ตามงาน is ready after ${seconds.toFixed(1)} s: ${url}`)
  if (settings.seed !== 'sample') return
  terminal.log(`\nSample accounts, all with the password ${SAMPLE_PASSWORD}`)
  for (const { email, role, shows } of SAMPLE_ACCOUNTS)
    terminal.log(`  ${email.padEnd(32)} ${role.padEnd(12)} ${shows}`)
  terminal.log(`  without an account: ${url}/login?refkey=demo\n`)
}
