import { parseArgs } from 'node:util'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { ArchiveFigures, ArchiveRequest } from '#server/engine/repartition/archive-years.ts'
import type { SplitProgress, SplitReport } from '#server/engine/repartition/copy-and-exchange.ts'
import { count, showSplitProgress } from './split-progress.ts'
import { type Terminal, UsageError } from './terminal.ts'

export const ARCHIVE_USAGE = `usage: npm run archive -- --years N [--dry-run] [--tablespace NAME] | --undo | --give-up
  Projects whose numbers are from more than N calendar years ago, and all that hangs on them, move to partitions of their own in PostgreSQL; servers and workers go on, and no answer changes.
  Stopped or killed, it goes on where it was when it is called again.
  --dry-run   says how many projects and bytes that is, and how the tables lie now
  --tablespace NAME   where the archive lies: a disk that is slower and cheaper
  --undo      makes each of the tables one again
  --give-up   takes away the copy that a call which was stopped has left; what was moved stays moved`

/** What does the work, with a connection to the database that leads past the pooler. `before`: the first year that stays, in the Buddhist era. */
export type Archivist = {
  look(before: number): Promise<{ tables: ArchiveFigures[]; delivered: number }>
  archive(request: ArchiveRequest): Promise<SplitReport>
  dissolve(onProgress: (progress: SplitProgress) => void): Promise<SplitReport>
  giveUp(): Promise<void>
}

type Wish =
  | { readonly kind: 'undo' }
  | { readonly kind: 'give-up' }
  | { readonly kind: 'archive' | 'look'; readonly years: number; readonly tablespace: string | undefined }

const megabytes = (bytes: number) => `${count(Math.round(bytes / 2 ** 20))} MB`

/** `archive --years N`, `archive --undo` and `archive --give-up`. Throws `UsageError`. */
export async function archiveCommand(
  args: string[],
  archivist: Archivist,
  terminal: Terminal,
  now = new Date(),
): Promise<void> {
  const wish = readArgs(args)
  if (wish.kind === 'give-up') {
    await archivist.giveUp()
    return terminal.log('nothing of a copy is left; what was moved stays moved')
  }
  const onProgress = showSplitProgress(terminal)
  if (wish.kind === 'undo')
    return tell(await archivist.dissolve(onProgress), 'there is no archive: nothing to do', terminal)
  const before = Number(bangkokToday(now).slice(0, 4)) + 543 - wish.years
  if (wish.kind === 'look') return show(before, await archivist.look(before), terminal)
  const report = await archivist.archive({ before, tablespace: wish.tablespace, onProgress })
  tell(report, `nothing from before ${before} lies among what is newer: nothing to do`, terminal)
}

function tell({ divided, rows, seconds, longestSwapMs }: SplitReport, nothing: string, terminal: Terminal): void {
  const did = `${divided} tables exchanged, ${count(rows)} rows copied, in ${seconds.toFixed(1)} s; a table was held for ${Math.round(longestSwapMs)} ms at most`
  terminal.log(divided === 0 ? nothing : did)
}

function show(
  before: number,
  { tables, delivered }: { tables: ArchiveFigures[]; delivered: number },
  terminal: Terminal,
): void {
  const all = { bytes: 0, olderBytes: 0 }
  for (const { table, rows, older, bytes, olderBytes, partitions } of tables) {
    all.bytes += bytes
    all.olderBytes += olderBytes
    const lies = partitions.map((one) => `${one.name} ${megabytes(one.bytes)}`).join(', ')
    terminal.log(
      `${table}: ${count(older)} of ${count(rows)} rows, about ${megabytes(olderBytes)} of ${megabytes(bytes)}${lies && ` (${lies})`}`,
    )
  }
  const projects = tables.find(({ table }) => table === 'projects')?.older ?? 0
  terminal.log(
    `from before ${before}: ${count(projects)} projects, ${count(delivered)} of them delivered, about ${megabytes(all.olderBytes)} of ${megabytes(all.bytes)}; nothing was changed`,
  )
}

function readArgs(args: string[]): Wish {
  try {
    const { values } = parseArgs({
      args,
      options: {
        years: { type: 'string' },
        tablespace: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        undo: { type: 'boolean', default: false },
        'give-up': { type: 'boolean', default: false },
      },
    })
    const { tablespace, undo, 'dry-run': isDry, 'give-up': givesUp } = values
    const years = values.years === undefined ? undefined : Number(values.years)
    if (years !== undefined && Number.isInteger(years) && years >= 1 && years <= 50 && !undo && !givesUp)
      return { kind: isDry ? 'look' : 'archive', years, tablespace }
    if (years === undefined && tablespace === undefined && !isDry && undo !== givesUp)
      return { kind: undo ? 'undo' : 'give-up' }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${ARCHIVE_USAGE}`, { cause: error })
  }
  throw new UsageError(ARCHIVE_USAGE)
}
