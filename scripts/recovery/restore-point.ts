import { parseArgs } from 'node:util'
import { recordBackup } from '#server/platform/engine/backup/backup-runs.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { archiveSettings, configText, listBases, pgbackrest, RecoveryRefused, type Stanza } from './pgbackrest.ts'
import { drill, finishRestore, restoreInPlace, rowsOfTables } from './recover.ts'

const USAGE = `Point-in-time recovery of a PostgreSQL by pgbackrest; on its machine, as root or postgres (docs/operations.md).

  npx node scripts/recovery/restore-point.ts config --data FOLDER --repository FOLDER [--port 5432] [--socket FOLDER]
      prints pgbackrest.conf with a new passphrase, and the settings of PostgreSQL
  … backup [--type full|diff|incr]
      a base backup now (cron: full on Sundays, diff on the other days); needs a first "pgbackrest --stanza=tamngan stanza-create"
  … drill --to 2026-11-27T14:05:00+07:00 --folder NEW-FOLDER
      restores to that time in a separate folder, counts the rows, reports the duration and deletes the folder; the live server is not affected
  … restore --to TIME --data FOLDER
      replaces the data of a stopped PostgreSQL
  … finish
      waits until the restored server has reached that time, then ends all sessions; run it before servers and workers start

  --config /etc/pgbackrest.conf, --stanza tamngan, --database tamngan by default.
  DATABASE_URL: where "backup" and "drill" record their runs (/metrics), and the database that "finish" completes.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string', default: '/etc/pgbackrest.conf' },
    stanza: { type: 'string', default: 'tamngan' },
    database: { type: 'string', default: 'tamngan' },
    port: { type: 'string', default: '5432' },
    socket: { type: 'string', default: '/var/run/postgresql' },
    type: { type: 'string', default: 'diff' },
    ...{ data: { type: 'string' }, repository: { type: 'string' }, to: { type: 'string' }, folder: { type: 'string' } },
  },
})
const stanza: Stanza = { config: values.config, stanza: values.stanza }
const say = (line: string) => console.log(line)
const seconds = (value: number) => `${value.toFixed(1)} s`

function needed(name: 'data' | 'repository' | 'to' | 'folder'): string {
  const value = values[name]
  if (value === undefined) throw new RecoveryRefused(`--${name} is missing\n\n${USAGE}`)
  return value
}

async function onDatabase<T>(work: (db: OpenDb) => Promise<T>): Promise<T | undefined> {
  const url = process.env.DATABASE_URL
  if (url === undefined) return undefined
  const db = createDb(await openPostgres(url))
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

async function run(command: string | undefined): Promise<void> {
  switch (command) {
    case 'config': {
      const parts = { stanza: stanza.stanza, data: needed('data'), repository: needed('repository') }
      const state = '/var/log/pgbackrest'
      say(configText({ ...parts, state, port: Number(values.port), socket: values.socket }))
      for (const setting of archiveSettings(stanza)) say(`# postgresql.conf: ${setting.replace('=', " = '")}'`)
      return
    }
    case 'backup': {
      const started = performance.now()
      await pgbackrest(stanza, [`--type=${values.type}`, 'backup'])
      const took = (performance.now() - started) / 1000
      const { label, bytes } = (await listBases(stanza)).at(-1)!
      await onDatabase((db) => recordBackup(db, { kind: 'base', bytes, seconds: took }))
      return say(`${label}: ${(bytes / 2 ** 20).toFixed(0)} MB of server data, in ${seconds(took)}`)
    }
    case 'drill': {
      const request = { stanza, to: needed('to'), folder: needed('folder'), database: values.database }
      const done = await drill({ ...request, look: rowsOfTables })
      const took = done.restoreSeconds + done.replaySeconds
      await onDatabase((db) => recordBackup(db, { kind: 'drill', seconds: took }))
      for (const [table, rows] of Object.entries(done.seen))
        say(`${rows.toLocaleString('en-US').padStart(14)}  ${table}`)
      say(
        `restored to ${request.to} from ${done.base}; last change before that: ${done.lastChangeAt ?? 'none in the log'}`,
      )
      return say(`files restored in ${seconds(done.restoreSeconds)}, WAL replayed in ${seconds(done.replaySeconds)}`)
    }
    case 'restore': {
      const { base } = await restoreInPlace(stanza, { to: needed('to'), data: needed('data') })
      return say(`${base} restored: start PostgreSQL, run "finish", then start the servers and workers`)
    }
    case 'finish': {
      const ended = await onDatabase(finishRestore)
      if (ended === undefined) throw new RecoveryRefused('DATABASE_URL is not set')
      return say(`recovery target reached; ${ended} sessions ended, every user has to log in again`)
    }
    default:
      throw new RecoveryRefused(USAGE)
  }
}

try {
  await run(positionals[0])
} catch (error) {
  console.error(error instanceof RecoveryRefused ? error.message : error)
  process.exitCode = 1
}
