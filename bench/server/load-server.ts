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

/**
 * The real server on the data of `openLoadDatabase`, without jobs, which are a worker's: nothing is loaded while it is measured. Prints the machine
 * first; ends the process with 1 where there is no PostgreSQL.
 */
export async function startLoadServer({ dir, projects, port, usersEach, env = {} }: LoadOptions): Promise<LoadServer> {
  console.log(machineLine())
  const database = await openLoadDatabase(dir, Number(projects), console.error)
  if (database === undefined) {
    console.error('this machine has no PostgreSQL (postgres and initdb)')
    process.exit(1)
  }
  const { db, url } = database
  const callers = await signInCallers(db, usersEach)
  const server = await startOwnServer(port, path.join(dir, 'server'), {
    DATABASE_URL: url,
    SEED: 'none',
    AUTH_SECRET: BENCH_SECRET,
    JOBS: 'off',
    ...env,
  })
  async function close(): Promise<void> {
    await server.stop()
    await database?.close()
  }
  return { server, db, callers, close }
}
