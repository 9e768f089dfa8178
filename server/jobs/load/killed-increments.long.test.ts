import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { replaceAgencyDirectory } from '#server/catalogue/department/queries.ts'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import { replaceFeedAgencies } from '#server/catalogue/intake/replace-agencies.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { starProjects } from '../../../test/world/notification-world.ts'
import {
  addReader,
  buildDueReportMails,
  listProjectIdsUnder,
  listReportMails,
  publish,
} from '../../../test/world/report-mail-world.ts'
import { addOrganisation } from '../../../test/world/report-world.ts'

const AGENCIES = 40
const TYPES = ['D0', 'B0', '15', 'W0']
const FEED = [String(AGENCIES), TYPES.join(',')]
/**
 * Each step of a small load after which the process is killed: staged, partly published, notified, recorded, and just
 * before the commit.
 */
const MOMENTS = [
  'insert into staged_chunks',
  'insert into projects',
  'insert into project_matches',
  'delete from staged_chunks',
  "set state = 'published'",
  'insert into notifications',
  'insert into report_mails',
  'set applied_at',
]

const FETCHER = path.join(import.meta.dirname, 'increment-fetcher-for-tests.ts')

describe.skipIf(inject('postgres') === undefined)(
  'small loads of a night killed with SIGKILL, on PostgreSQL (R47, R52)',
  () => {
    let db: OpenDb
    let url: string
    let drop: () => Promise<void>
    beforeAll(async () => {
      ;({ url, drop } = await makeMigratedPostgres())
      db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
    })
    afterAll(async () => {
      await db.close()
      await drop()
    })

    test(`at each of ${MOMENTS.length} moments, twice, import and report each announcement exactly once`, async () => {
      const begins = new Date('2026-11-23T17:31:00+07:00')
      const codes = Array.from({ length: AGENCIES }, (_, n) => ({ code: String(1000 + n), name: `หน่วยงาน ${n}` }))
      await db.transaction(async (tx) => {
        await replaceAgencyDirectory(
          tx,
          [],
          codes.map((code) => ({ ...code, province: null })),
          begins,
        )
        await replaceFeedAgencies(tx, codes)
      })
      const user = await addReader(db, await addOrganisation(db), 'a@x.example')
      await publish(db, [], { now: begins })
      await publish(db, [{ id: '69119000000', name: 'ซื้อกล้อง 0', movement: 'draft', movementOn: '2026-11-20' }], {
        now: begins,
      })
      await db.script('truncate report_mails, jobs cascade')
      await starProjects(db, user, '69119000000')
      await runIntake(db, { command: 'on', source: 'egp-rss', changes: { contact: 'ops@tamngan.example' } }, begins)
      await db.script(`
        create table applied (id bigint);
        create function note_applied() returns trigger language plpgsql as $$
          begin insert into applied values (new.id); return null; end $$;
        create trigger note_applied after update on intake_announcements for each row
          when (old.applied_at is null and new.applied_at is not null) execute function note_applied()`)
      const kills = [...MOMENTS, ...MOMENTS]
      for (const [kill, moment] of kills.entries()) {
        const at = new Date(begins.getTime() + (kill + 1) * 5 * 60_000)
        await killOnOutput(FETCHER, [url, at.toISOString(), moment, ...FEED], /under way/)
        // Leases of killed processes expire after a minute: the job's by the test's clock, the loader's by the
        // database's.
        await db.execute(sql`update job_leases set expires_at = now() - interval '1 second'`)
      }
      const at = new Date(begins.getTime() + (kills.length + 2) * 5 * 60_000)
      await killOnOutput(FETCHER, [url, at.toISOString(), 'nothing is called so', ...FEED], /over/)
      const announcements = AGENCIES * TYPES.length
      expect(await db.query(sql`select count(*)::int as n, count(distinct id)::int as once from applied`)).toEqual([
        { n: announcements, once: announcements },
      ])
      expect(await db.query(sql`select count(*)::int as n from intake_announcements`)).toEqual([{ n: announcements }])
      expect(
        await db.query(sql`
          select count(*)::int as n, count(distinct project_id)::int as once from announcements where announced_on = '2026-11-23'`),
      ).toEqual([{ n: announcements, once: AGENCIES }])
      expect(await db.query(sql`select count(*)::int as n from project_matches`)).toEqual([{ n: AGENCIES }])
      const notifications = await db.query<{ load_id: number }>(
        sql`select load_id from notifications where type = 'Updated'`,
      )
      expect(notifications.length).toBeGreaterThan(0)
      expect(notifications).toEqual(
        await db.query(sql`
          select distinct load_id from project_changes where project_id = '69119000000' order by load_id`),
      )
      await buildDueReportMails(db, at)
      await buildDueReportMails(db, new Date('2026-11-24T08:31:00+07:00'))
      const named = (await listReportMails(db)).flatMap((mail) => listProjectIdsUnder(mail, 'ใหม่'))
      expect(new Set(named).size).toBe(named.length)
      expect(await db.query(sql`select from report_mails where state = 'waiting'`)).toEqual([])
    }, 300_000)
  },
)
