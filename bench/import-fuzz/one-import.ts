import { FeedFormatError, type FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { computeNextProjectState } from '#server/catalogue/feed/next-project.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { redactFeedRow } from '#server/catalogue/feed/person/redact-personal-data.ts'
import { createProjectPublicationContext, prepareProjectBatch } from '#server/catalogue/feed/publish-projects.ts'

export type Outcome = {
  readonly read: number
  readonly taken: number
  readonly quarantined: number
  readonly refused?: string
}

const ofRead = { read: 0, taken: 0, quarantined: 0 }

/**
 * Imports a file as the product does, up to the SQL statements, which are not executed. @throws Error for a violated
 * invariant.
 */
export async function importOnce(file: string): Promise<Outcome> {
  const counts = { ...ofRead }
  const records: FeedRecord[] = []
  let line = 0
  try {
    const { source } = await openFeedFile(file)
    for await (const row of source.records(0)) {
      const item = redactFeedRow(row)
      if (item.line <= line) throw new Error(`line ${item.line} after line ${line}`)
      line = item.line
      counts.read += 1
      if ('rejected' in item) {
        if (item.rejected.reason === '') throw new Error('rejected without a reason')
        counts.quarantined += 1
      } else records.push({ ...item.record, line })
    }
  } catch (error) {
    if (!(error instanceof FeedFormatError)) throw error
    if (error.message === '') throw new Error('refused without a reason', { cause: error })
    return { ...counts, refused: error.message }
  }
  if (counts.read === 0) throw new Error('accepted with 0 rows')
  const context = createProjectPublicationContext(1, 'fuzz', '2026-11-28')
  const projects = await prepareProjectBatch(context, {
    records: Map.groupBy(records, ({ projectId }) => projectId),
    existing: new Map(),
  })
  counts.quarantined += context.refused.length
  counts.taken = records.length - context.refused.length
  if (counts.taken + counts.quarantined !== counts.read)
    throw new Error(`rows unaccounted for: ${JSON.stringify(counts)}`)
  for (const { row } of projects) {
    if (row.name.trim() === '' || row.name === `โครงการ ${row.project_id}`)
      throw new Error(`${row.project_id} has no name`)
  }
  const twice = projects.map(({ row }) =>
    computeNextProjectState(
      row.project_id,
      undefined,
      records.filter(({ projectId }) => projectId === row.project_id),
      { source: 'fuzz', loadId: 1, today: '2026-11-28' },
    ),
  )
  if (twice.some(({ row }, at) => JSON.stringify(row) !== JSON.stringify(projects[at]!.row)))
    throw new Error('building the projects twice gives different results')
  return counts
}
