import type { Terminal } from '#server/cli/terminal.ts'
import { buildWorkerApp } from '#server/http/operate/worker-app.ts'
import { JOB_KINDS } from '#server/jobs/job-kinds.ts'
import { secretsOf } from './auth-secret.ts'
import { closeHttp, ownUrl } from './close-http.ts'
import { startSchedules } from './schedules.ts'
import type { RunningServer } from './serve.ts'
import { logLevelOf, type Settings, SettingsError } from './settings.ts'
import { openMigrated } from './with-database.ts'

/**
 * A process that does the jobs and answers nobody but probes. Any number of them may run beside any number of servers. Rejects without PostgreSQL:
 * the embedded database belongs to the one process that has it open.
 */
export async function work(settings: Settings, terminal: Terminal): Promise<RunningServer> {
  if (settings.databaseUrl === undefined)
    throw new SettingsError(
      'DATABASE_URL: a worker needs PostgreSQL; on the embedded database the server does the jobs',
    )
  const db = await openMigrated(settings)
  try {
    const secrets = await secretsOf(settings)
    const app = await buildWorkerApp(db, {
      authSecrets: secrets,
      logLevel: logLevelOf(settings),
      jobKinds: JOB_KINDS.map(({ kind }) => kind),
    })
    const { workerPort, host } = settings
    const address = workerPort === undefined ? undefined : await app.listen({ port: workerPort, host })
    const schedules = startSchedules(db, settings, { secrets, baseUrl: () => ownUrl(settings), log: app.log })
    const seconds = process.uptime()
    return {
      announce: () =>
        terminal.log(`the worker is ready after ${seconds.toFixed(1)} s${address ? `: ${address}/readyz` : ''}`),
      async stop() {
        await Promise.all([closeHttp(app), schedules.stop()])
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}
