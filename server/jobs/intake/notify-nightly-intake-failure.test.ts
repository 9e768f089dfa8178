import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { notifyNightlyIntakeFailure } from './notify-nightly-intake-failure.ts'

const MORNING = new Date('2026-11-24T01:31:00Z')

onEachEngineInTurn('a night that failed', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
    await db.script(`
      insert into organisations (code, name, package, customer_config, areas_with_provinces) values ('operation', 'operation', '-', '{}', '{}'), ('x', 'x', '-', '{}', '{}');
      insert into users (organisation_id, email, email_key, password_hash, role, is_disabled) values
        (1, 'it@tamngan.example', 'it@tamngan.example', '-', 'operator', false), (1, 'old@tamngan.example', 'old@tamngan.example', '-', 'operator', true),
        (2, 'manager@x.example', 'manager@x.example', '-', 'super_user', false);
      insert into intake_sources (source, address, opens_at, closes_at, pace_ms) values ('egp-rss', 'http://egp.example/', '17:30', '08:30', 4000)`)
  })

  const mails = createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' })
  const mailsAfter = async (outcome: string | null, endedAt: Date, at = MORNING) => {
    await db.script('delete from mails; delete from jobs; delete from intake_nights')
    await db.execute(sql`
      insert into intake_nights (source, night, begun_at, ended_at, outcome)
      values ('egp-rss', '2026-11-23', '2026-11-23T10:30:00Z', ${endedAt.toISOString()}::timestamptz, ${outcome})`)
    // In production the job runs several times before the next night and may be killed in between.
    for (let run = 0; run < 3; run += 1) await notifyNightlyIntakeFailure(db, mails, 'egp-rss', at)
    return await db.query(
      sql`select m.kind, m.user_id from mails m join jobs j on j.kind = 'mail' and j.key = m.id::text order by m.id`,
    )
  }

  test.each(['refused', 'closed', 'halted'])(
    '(%s) notifies each active operator once, and no other user',
    async (outcome) => {
      expect(await mailsAfter(outcome, MORNING)).toEqual([{ kind: 'intake_failed', user_id: 1 }])
    },
  )

  test.each(['complete', 'cut_short', null])('is not reported for outcome %s', async (outcome) => {
    expect(await mailsAfter(outcome, MORNING)).toEqual([])
  })

  test('is not reported a day later', async () => {
    expect(await mailsAfter('refused', MORNING, new Date('2026-11-25T02:00:00Z'))).toEqual([])
  })
})
