import path from 'node:path'
import { BENCH_SECRET, type Caller, openLoadDatabase, signInCallers } from './load-database.ts'
import { describeMachine } from './machine.ts'
import { type ServerProcess, startServerProcess } from './own-server.ts'

type LoadServer = {
  readonly server: ServerProcess
  readonly db: NonNullable<Awaited<ReturnType<typeof openLoadDatabase>>>['db']
  readonly callers: readonly Caller[]
  close(): Promise<void>
}

type LoadOptions = {
  readonly dir: string
  readonly projects: string
  readonly port: string
  readonly usersEach: number
  readonly env?: Readonly<Record<string, string>>
}

/** Opens the data of `openLoadDatabase` with signed-in callers. Exits with code 1 if there is no PostgreSQL. */
export async function openLoadData({ dir, projects, usersEach }: Pick<LoadOptions, 'dir' | 'projects' | 'usersEach'>) {
  const database = await openLoadDatabase(dir, Number(projects), console.error)
  if (database === undefined) {
    console.error('PostgreSQL (postgres and initdb) is not installed on this machine')
    process.exit(1)
  }
  return { ...database, callers: await signInCallers(database.db, usersEach) }
}

/**
 * Settings of a server that accepts the callers' tokens. Jobs are left to a worker, so no load runs during the
 * measurement.
 */
export const getLoadServerSettings = (url: string) => ({
  DATABASE_URL: url,
  SEED: 'none',
  AUTH_SECRET: BENCH_SECRET,
  JOBS: 'off',
})

export async function startLoadServer({ port, env = {}, ...options }: LoadOptions): Promise<LoadServer> {
  console.log(describeMachine())
  const { url, db, callers, close } = await openLoadData(options)
  const server = await startServerProcess(port, path.join(options.dir, 'server'), {
    ...getLoadServerSettings(url),
    ...env,
  })
  return {
    server,
    db,
    callers,
    async close() {
      await server.stop()
      await close()
    },
  }
}
