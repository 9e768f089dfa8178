import path from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import { listNightlyRuns } from '#server/catalogue/intake/intake-sources.ts'
import { replaceFeedAgencies } from '#server/catalogue/intake/replace-agencies.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'

const KILLS = 25
const AGENCIES = 20
const ITEMS = 7
/** Number of requests answered before each kill; the next one is in flight when the process is killed. */
const ANSWERED = 5

const FETCHER = path.join(import.meta.dirname, 'feed-fetcher-for-tests.ts')
const FEED = [String(AGENCIES), String(ITEMS)]

describe.skipIf(inject('postgres') === undefined)(
  'a night of fetching killed with SIGKILL, on PostgreSQL (R47, R52)',
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

    test(`${KILLS} times resumes at the same query, loses nothing and stores nothing twice`, async () => {
      await db.script('create table asked (id bigint generated always as identity, run text, question text)')
      const begins = new Date('2026-11-23T17:31:00+07:00')
      await db.transaction((tx) =>
        replaceFeedAgencies(
          tx,
          Array.from({ length: AGENCIES }, (_, n) => ({ code: String(1000 + n), name: `หน่วยงาน ${n}` })),
        ),
      )
      await runIntake(db, { command: 'on', source: 'egp-rss', changes: { contact: 'ops@tamngan.example' } }, begins)
      for (let kill = 0; kill < KILLS; kill += 1) {
        // The lease of a killed process expires a minute after the kill.
        const at = new Date(begins.getTime() + (kill + 1) * 5 * 60_000)
        await killOnOutput(
          FETCHER,
          [url, at.toISOString(), String(kill % 7 === 6 ? 0 : ANSWERED), ...FEED],
          /under way|over/,
        )
      }
      const runs = Object.values(
        Object.groupBy(
          await db.query<{ run: string; question: string }>(sql`select run, question from asked order by id`),
          ({ run }) => run,
        ),
      ).map((rows) => rows!.map(({ question }) => question))
      const working = runs.filter((questions) => questions.length > 0)
      for (const [index, questions] of working.entries()) {
        if (index === 0) continue
        expect(questions[0], `after kill ${index}`).toBe(working[index - 1]!.at(-1))
      }
      const at = new Date(begins.getTime() + (KILLS + 2) * 5 * 60_000)
      await killOnOutput(FETCHER, [url, at.toISOString(), '9999', ...FEED], /over/)
      const [night] = await listNightlyRuns(db, 'egp-rss', 1)
      expect(night).toMatchObject({
        outcome: 'complete',
        requests: AGENCIES * 6,
        answers: AGENCIES * 6,
        newItems: AGENCIES * ITEMS,
      })
      expect(await db.query(sql`select distinct tries from intake_queries`)).toEqual([{ tries: 1 }])
      expect(
        await db.query(
          sql`select count(*)::int as n, count(distinct project_id)::int as projects from intake_announcements`,
        ),
      ).toEqual([{ n: AGENCIES * ITEMS, projects: AGENCIES * ITEMS }])
    }, 300_000)
  },
)
