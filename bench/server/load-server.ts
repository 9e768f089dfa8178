import path from 'node:path'
import { BENCH_SECRET, type Caller, openLoadDatabase, signInCallers } from './load-database.ts'
import { machineLine } from './machine.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'

export type LoadServer = {
  readonly server: OwnServer
  readonly db: NonNullable<Awaited<ReturnType<typeof openLoadDatabase>>>['db']
  readonly callers: readonly Caller[]
  /** Ends the server and its database. */
  close(): Promise<void>
}

type LoadOptions = {
  /** Folder of the kept data; number of projects and port as the command line gives them. */
  readonly dir: string
  readonly projects: string
  readonly port: string
  readonly usersEach: number
  readonly env?: Readonly<Record<string, string>>
}

/** The data of `openLoadDatabase` with people who are signed in; ends the process with 1 where there is no PostgreSQL. */
export async function openLoadData({ dir, projects, usersEach }: Pick<LoadOptions, 'dir' | 'projects' | 'usersEach'>) {
  const database = await openLoadDatabase(dir, Number(projects), console.error)
  if (database === undefined) {
    console.error('this machine has no PostgreSQL (postgres and initdb)')
    process.exit(1)
  }
  return { ...database, callers: await signInCallers(database.db, usersEach) }
}

/** Settings of a server on these data that knows the callers. Jobs are a worker's: nothing is loaded while it is measured. */
export const settingsOn = (url: string) => ({
  DATABASE_URL: url,
  SEED: 'none',
  AUTH_SECRET: BENCH_SECRET,
  JOBS: 'off',
})

/** The real server on these data. Prints the machine first. */
export async function startLoadServer({ port, env = {}, ...options }: LoadOptions): Promise<LoadServer> {
  console.log(machineLine())
  const { url, db, callers, close } = await openLoadData(options)
  const server = await startOwnServer(port, path.join(options.dir, 'server'), {
    ...settingsOn(url),
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
