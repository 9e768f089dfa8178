import { tmpdir } from 'node:os'
import path from 'node:path'
import { replaceAgencyDirectory } from '#server/catalogue/department/queries.ts'
import {
  createFeedClient,
  FEED_REQUEST_TIMEOUT_MS,
  type FeedClient,
  parseFeedRequestOutcome,
} from '#server/catalogue/intake/feed-client.ts'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import { createIntakeSourceKeyCipher } from '#server/catalogue/intake/intake-sources.ts'
import { replaceFeedAgencies } from '#server/catalogue/intake/replace-agencies.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import type { IntakeJobDependencies } from '#server/jobs/intake/intake-job.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createOutgoingGet } from '#server/platform/outgoing/outgoing-get.ts'
import { EgpFeed, type Published, startEgpServer } from '../egp-server.ts'
import { emptyTables } from '../server/empty-tables.ts'

export class TestClock {
  #now: number
  #elapsed = 0
  constructor(at: string) {
    this.#now = new Date(at).getTime()
  }
  now = () => new Date(this.#now)
  elapsed = () => this.#elapsed
  pass(ms: number): void {
    this.#now += ms
    this.#elapsed += ms
  }
  /** Changes the wall clock, but not the elapsed time. */
  step(ms: number): void {
    this.#now += ms
  }
  passUntil(at: Date): void {
    if (at.getTime() > this.#now) this.pass(at.getTime() - this.#now)
  }
  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    this.pass(ms)
  }
}

export const CONTACT = 'ops@tamngan.example'

export const testKeyCipher = createIntakeSourceKeyCipher(['a secret of tests that is long enough'])

/** Returns dependencies that fetch from this machine, send no mail and have no feed, unless replaced by `over`. */
export const createTestIntakeDependencies = (
  clock: TestClock,
  over: Partial<IntakeJobDependencies> = {},
): IntakeJobDependencies => ({
  clock,
  dataDir: tmpdir(),
  store: createFolderDocumentStore(path.join(tmpdir(), `tamngan-test-fetched-${process.pid}`)),
  createGet: ({ contact }) => createOutgoingGet({ contact, isLocalAllowed: true, idleMs: 1_500 }),
  seal: testKeyCipher,
  createFeedClient: () => () => Promise.reject(new Error('the feed is not asked')),
  mails: { link: (path) => path, queue: async () => undefined },
  ...over,
})

/** Returns a client of a feed in the same process. */
export const createLocalFeedClient =
  (feed: EgpFeed): FeedClient =>
  async (query) => {
    const reply = feed.begin(query)
    feed.end()
    return reply.kind === 'xml' ? parseFeedRequestOutcome(reply.bytes) : { kind: 'timeout' }
  }

export async function makeIntakeWorld(
  db: Db,
  { at, agencies }: { readonly at: string; readonly agencies: readonly string[] },
) {
  await emptyTables(db, 'intake_sources', 'intake_agencies', 'intake_announcements', 'intake_units', 'jobs')
  await emptyTables(db, 'projects', 'loads', 'departments', 'coverage_counts', 'coverage_days', 'coverage_probes')
  const clock = new TestClock(at)
  const feed = new EgpFeed(clock)
  const server = await startEgpServer(feed)
  // The request in flight is aborted as soon as the feed hangs, so that no test waits ten seconds.
  let limit = new AbortController()
  feed.onHang = () => {
    clock.pass(FEED_REQUEST_TIMEOUT_MS)
    limit.abort()
  }
  const timeLimit = () => {
    limit = new AbortController()
    return limit.signal
  }
  const mails: { to: string; subject: string }[] = []
  const codes = agencies.map((code) => ({ code, name: `หน่วยงาน ${code}`, province: null }))
  await db.transaction(async (tx) => {
    await replaceAgencyDirectory(tx, [], codes, new Date(at))
    await replaceFeedAgencies(tx, codes)
  })
  await runIntake(
    db,
    { command: 'on', source: 'egp-rss', changes: { contact: CONTACT, address: server.address } },
    clock.now(),
  )
  const parts: { intake: IntakeJobDependencies } = {
    intake: createTestIntakeDependencies(clock, {
      createFeedClient: (settings) => createFeedClient({ ...settings, timeLimit }),
      mails: {
        link: (path) => path,
        queue: async (_tx, { to, content }) => void mails.push({ to, subject: content.subject }),
      },
    }),
  }
  let serial = 0
  return {
    ...{ clock, feed, server, mails, parts },
    publish(count: number, over: Partial<Published> & { readonly at: Date }): void {
      for (let n = 0; n < count; n += 1) {
        serial += 1
        feed.publish({
          agency: agencies[0]!,
          type: 'D0',
          projectId: String(69_119_000_000 + serial),
          title: `ประกวดราคาซื้อกล้อง ${serial}`,
          ...over,
        })
      }
    },
  }
}
