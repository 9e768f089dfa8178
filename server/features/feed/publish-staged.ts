import type { Db } from '#server/db/db.ts'
import type { FeedRecord } from './feed-source.ts'
import { type PublishContext, prepareBatch, readBatch, writeBatch } from './publish-projects.ts'
import { readChunks } from './queries-load.ts'

/** Chunks of 1,000 records in one batch. */
const CHUNKS_AT_ONCE = 2

type Staged = { readonly chunks: number; readonly onProgress: (done: number) => void }

/**
 * Publishes all chunks of a load in order. The next batch is worked out while the database writes the one before, so what is
 * known of a project must not be read while a batch about it is under way: its records wait for the batch after.
 */
export async function publishStaged(
  tx: Db,
  context: PublishContext,
  { chunks, onProgress }: Staged,
): Promise<{ readonly newProjects: number; readonly seen: ReadonlySet<string> }> {
  const seen = new Set<string>()
  let waiting: FeedRecord[] = []
  let chunk = 0

  /** Records of the next batch; none at the end. Those about a project `underWay` are put off, in their order. */
  const take = async (underWay: ReadonlySet<string>) => {
    const fresh = chunk < chunks ? await readChunks(tx, context.loadId, chunk, chunk + CHUNKS_AT_ONCE) : []
    chunk += CHUNKS_AT_ONCE
    const candidates = [...waiting, ...fresh]
    waiting = candidates.filter((record) => underWay.has(record.projectId))
    const ready = waiting.length === 0 ? candidates : candidates.filter((record) => !underWay.has(record.projectId))
    for (const record of ready) seen.add(record.projectId)
    return {
      count: ready.length,
      batch: await readBatch(
        tx,
        Map.groupBy(ready, (record) => record.projectId),
      ),
    }
  }

  let newProjects = 0
  let done = 0
  let current = await take(new Set())
  let prepared = await prepareBatch(context, current.batch)
  while (chunk < chunks || waiting.length > 0 || current.count > 0) {
    const next = await take(new Set(current.batch.records.keys()))
    const [added, nextPrepared] = await together(writeBatch(tx, context, prepared), prepareBatch(context, next.batch))
    newProjects += added
    done += current.count
    onProgress(done)
    current = next
    prepared = nextPrepared
  }
  return { newProjects, seen }
}

/** Both results; a failure of one is told only when the other has ended too, so that no statement outlives the transaction. */
async function together<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b])
  return [await a, await b]
}
