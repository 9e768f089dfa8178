import type { LoadProgress, LoadReport } from '#server/features/feed/load-report.ts'
import { reportLines, showLoadProgress } from './load-progress.ts'
import type { Terminal } from './terminal.ts'

export type Loader = (onProgress: (progress: LoadProgress) => void) => Promise<LoadReport>

/** `load`: the nightly load now. `load` does the work, here or in the running server. */
export async function loadCommand(load: Loader, terminal: Terminal): Promise<void> {
  const report = await load(showLoadProgress(terminal))
  for (const line of reportLines(report)) terminal.log(line)
}
