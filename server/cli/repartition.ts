import { parseArgs } from 'node:util'
import type { SplitProgress, SplitReport } from '#server/engine/repartition/copy-and-exchange.ts'
import { count, showSplitProgress } from './split-progress.ts'
import { type Terminal, UsageError } from './terminal.ts'

export const REPARTITION_USAGE = `usage: npm run repartition -- 64 | --give-up
  Divides the partitions of the matches of PostgreSQL until there are so many, a multiple of what there are; servers and workers go on. A partition is copied, compared and
  exchanged, one after the other, so half of it is whole as well. Stopped or killed, it goes on where it was when it is called again.
  --give-up   takes away the copy that a call which was stopped has left; what was divided stays divided`

/** What does the work, with a connection to the database that leads past the pooler. */
export type Splitter = {
  split(partitions: number, onProgress: (progress: SplitProgress) => void): Promise<SplitReport>
  giveUp(): Promise<void>
}

/** `repartition NUMBER` and `repartition --give-up`. Throws `UsageError`. */
export async function repartitionCommand(args: string[], splitter: Splitter, terminal: Terminal): Promise<void> {
  const partitions = readArgs(args)
  if (partitions === undefined) {
    await splitter.giveUp()
    return terminal.log('nothing of a copy is left; partitions that were divided stay so')
  }
  const { divided, rows, seconds, longestSwapMs } = await splitter.split(partitions, showSplitProgress(terminal))
  if (divided === 0) return terminal.log(`there are ${partitions} partitions or more already: nothing to do`)
  terminal.log(
    `${divided} partitions divided, ${count(rows)} rows, in ${seconds.toFixed(1)} s; the table was held for ${Math.round(longestSwapMs)} ms at most`,
  )
}

/** The number; undefined: give up. */
function readArgs(args: string[]): number | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'give-up': { type: 'boolean', default: false } },
    })
    if (values['give-up'] && positionals.length === 0) return undefined
    const partitions = Number(positionals[0])
    if (!values['give-up'] && positionals.length === 1 && Number.isInteger(partitions) && partitions > 0)
      return partitions
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${REPARTITION_USAGE}`, { cause: error })
  }
  throw new UsageError(REPARTITION_USAGE)
}
