import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, parse, protocol, type Results } from '@electric-sql/pglite'
import { amcheck } from '@electric-sql/pglite/contrib/amcheck'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { WireStatement } from './database-engine.ts'
import type { DatabaseDriverError } from './db.ts'
import type { PgliteRequest, PgliteResponse, PgliteStartOptions } from './pglite-message.ts'
import { getPostgresTypeParser } from './postgres-values.ts'

// Runs PGlite off the main thread, where a query would block every request for as long as it runs (R49).
if (parentPort === null) throw new Error('pglite-worker.ts runs in a worker thread only')
const port = parentPort
const start = workerData as PgliteStartOptions

// A single session allows a generous `work_mem`: 64 MB avoids temporary files for facets of 200,000 matches. 256 MB of
// shared buffers fit the match table and project indexes (WebAssembly: 4 GB); with 16 MB, tests start in half the time.
const SETTINGS = [
  `shared_buffers=${start.folder === undefined ? 16 : 256}MB`,
  'work_mem=64MB',
  'maintenance_work_mem=256MB',
  'random_page_cost=1.1',
  'enable_memoize=off',
  'timezone=UTC',
]

const pglite = await PGlite.create({
  pgliteWasmModule: start.program,
  ...(start.folder === undefined ? {} : { dataDir: start.folder }),
  ...(start.snapshot === undefined ? {} : { loadDataDir: new Blob([start.snapshot]) }),
  extensions: { pg_trgm, amcheck },
  startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
})

// Skip PGlite's conversion: parameters are PostgreSQL text already, results use the parsers of node-postgres.
for (const typeId of Object.keys(pglite.serializers)) pglite.serializers[Number(typeId)] = (value: string) => value
for (const typeId of Object.keys(pglite.parsers)) pglite.parsers[Number(typeId)] = getPostgresTypeParser(Number(typeId))

const preparedTexts = new Map<string, string>()
const STATEMENT_MISSING = '26000'

/**
 * Runs a statement under a name and prepares it on first use. PGlite's own `query` parses and describes the statement
 * on every call; reusing a prepared statement saves four of six round trips and the planning.
 */
async function runPrepared(name: string, statement: WireStatement): Promise<Results<unknown>> {
  const preparedText = preparedTexts.get(name)
  if (preparedText !== undefined && preparedText !== statement.text) throw new Error(`two statements are named ${name}`)
  try {
    return await pglite.runExclusive(() => runNamed(name, statement))
  } catch (error) {
    // `discard all` has dropped the session's prepared statements, so prepare this one again.
    if (preparedText === undefined || (error as DatabaseDriverError).code !== STATEMENT_MISSING) throw error
    preparedTexts.delete(name)
    return await pglite.runExclusive(() => runNamed(name, statement))
  }
}

async function runNamed(name: string, { text, values }: WireStatement): Promise<Results<unknown>> {
  const { serialize } = protocol
  const send = (message: Uint8Array) => pglite.execProtocolStream(message, { syncToFs: false })
  try {
    if (!preparedTexts.has(name)) {
      await send(serialize.parse({ name, text }))
      preparedTexts.set(name, text)
    }
    const bound = serialize.bind({ statement: name, values: [...values] })
    const messages = await send(Buffer.concat([bound, serialize.describe({ type: 'P' }), serialize.execute({})]))
    return parse.parseResults(messages, pglite.parsers)[0]!
  } finally {
    await send(serialize.sync())
    await pglite.syncToFs()
  }
}

async function execute(request: PgliteRequest): Promise<PgliteResponse> {
  switch (request.kind) {
    case 'run': {
      const { name } = request
      const { rows, affectedRows } =
        name === undefined ? await pglite.query(request.text, [...request.values]) : await runPrepared(name, request)
      return { id: request.id, rows, affected: affectedRows ?? 0 }
    }
    case 'script':
      await pglite.exec(request.text)
      return { id: request.id }
    case 'snapshot':
      return { id: request.id, snapshot: new Uint8Array(await (await pglite.dumpDataDir('none')).arrayBuffer()) }
    case 'close':
      await pglite.close()
      return { id: request.id }
  }
}

async function reply(request: PgliteRequest): Promise<void> {
  try {
    port.postMessage(await execute(request))
  } catch (error) {
    const { message, code = 'XX000', constraint } = error as DatabaseDriverError
    port.postMessage({ id: request.id, refusal: { message, code, constraint } } satisfies PgliteResponse)
  }
}

// The main thread serializes requests, so only one is ever in progress.
port.on('message', (request: PgliteRequest) => {
  void reply(request)
})
port.postMessage({ id: 0 } satisfies PgliteResponse)
