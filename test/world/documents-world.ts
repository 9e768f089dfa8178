import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import { createIntakeSourceKeyCipher } from '#server/catalogue/intake/intake-sources.ts'
import { unpackBundle } from '#server/documents/bundle/unpack-bundle.ts'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { documentJob } from '#server/jobs/document/document-job.ts'
import { intakeJob } from '#server/jobs/intake/intake-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createOutgoingGet } from '#server/platform/outgoing/outgoing-get.ts'
import { runDue } from '../jobs.ts'
import { emptyTables } from '../server/empty-tables.ts'
import { DocumentServer } from './document-server.ts'
import { CONTACT, TestClock } from './intake-world.ts'
import { addLoad, addOrganisation, addUser, putProjects } from './report-world.ts'

/** Result that replaces reading a document in a child process, because the reader has its own tests. */
const READING: DocumentReadResult = { outcome: 'read', kind: 'invitation', pages: [{ text: 'ประกาศ' }], facts: [] }

/**
 * Creates announcements whose links a local server answers, two organisations with the projects in their reports, and
 * the source switched on.
 */
export async function makeDocumentsWorld(
  db: Db,
  at: string,
  makeStore: (folder: string) => DocumentStore = createFolderDocumentStore,
) {
  await emptyTables(
    db,
    'intake_sources',
    'intake_agencies',
    'intake_announcements',
    'intake_links',
    'jobs',
    'organisations',
  )
  await emptyTables(db, 'projects', 'loads', 'departments')
  const clock = new TestClock(at)
  const server = new DocumentServer()
  await server.start()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'fetched-'))
  const store = makeStore(path.join(dataDir, 'documents'))
  const organisations = [await addOrganisation(db), await addOrganisation(db)] as const
  const users = [await addUser(db, organisations[0]), await addUser(db, organisations[1])] as const
  const load = await addLoad(db)
  await putProjects(
    db,
    load,
    Array.from({ length: 12 }, (_, n) => ({ id: String(n + 1) })),
  )
  await db.transaction((tx) => matchDataLoadProjects(tx, load))
  const mails: { to: string; subject: string }[] = []
  const parts = {
    intake: {
      ...{ clock, dataDir, store, seal: createIntakeSourceKeyCipher(['a secret of tests that is long enough']) },
      createFeedClient: () => () => Promise.reject(new Error('the feed is not asked')),
      createGet: ({ contact }: { readonly contact: string }) =>
        createOutgoingGet({ contact, isLocalAllowed: true, idleMs: 2_000 }),
      mails: {
        link: (to: string) => to,
        queue: async (_tx: Db, { to, content }: { to: string; content: { subject: string } }) =>
          void mails.push({ to, subject: content.subject }),
      },
    },
    documents: { store, read: async () => READING, unpack: unpackBundle, quotaBytes: 50_000_000 },
  }
  await runIntake(
    db,
    { command: 'on', source: 'egp-documents', changes: { contact: CONTACT, address: `${server.origin}/` } },
    clock.now(),
  )
  return {
    ...{ clock, server, store, dataDir, organisations, users, mails, parts },
    close: async () => {
      await server.close()
      await rm(dataDir, { recursive: true })
    },
    announce: (project: string, link: string, { type = 'D0', agency = '0304', day = '2026-11-23' } = {}) =>
      db.execute(sql`
        insert into intake_announcements (source, project_id, type, link, title, method, label, published_on, agency, first_seen_at, last_seen_at, hash)
        values ('egp-rss', ${project}, ${type}, ${link}, 'x', 'x', 'x', ${day}::date, ${agency}, now(), now(), 'x')`),
    star: (project: string, userId: number) =>
      db.execute(
        sql`insert into bookmarks (user_id, project_id, created_at) values (${userId}::int, ${project}, now())`,
      ),
    /** Advances time to `until`, running every due turn of the source, then reads what arrived. */
    async live(until: string): Promise<void> {
      for (;;) {
        const [job] = await db.query<{ at: string }>(
          sql`select run_at as at from jobs where kind = 'intake' and state = 'waiting'`,
        )
        if (!job || new Date(job.at) > new Date(until)) break
        clock.passUntil(new Date(job.at))
        await runDue(intakeJob, { db, now: clock.now, parts })
      }
      clock.passUntil(new Date(until))
      await runDue(documentJob, { db, now: clock.now, parts })
    },
  }
}
