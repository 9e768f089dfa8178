import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'
import { createUsageRecorder } from './usage-recorder.ts'

const NOON = new Date('2026-11-21T05:00:00Z')

onEachEngine('the usage log of reads', (makeDb) => {
  let db: OpenDb
  let ids: { organisationId: number; userId: number }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const [row] = await db.query<{ organisationId: number; userId: number }>(sql`
      select organisation_id as "organisationId", id as "userId" from users where email_key = 'sales@tharamek.example'`)
    ids = row!
  })
  beforeEach(() => db.execute(sql`delete from usage_events`))

  const lines = async () =>
    (
      await db.query<{ said: string }>(sql`
      select concat_ws(' | ', description, info #>> '{0,name}', info #>> '{0,value}') as said from usage_events order by at, id`)
    ).map(({ said }) => said)

  test('is written in batches, without repeats, with only the last query of a typed search', async () => {
    const recorder = createUsageRecorder(db, (error) => {
      throw error
    })
    const note = (type: 'search' | 'open', description: string, minutes: number) =>
      recorder.note({ ...ids, at: new Date(NOON.getTime() + minutes * 60_000), type, description })
    note('search', 'ก', 0)
    note('search', 'กล้อง', 0.1)
    note('open', 'โครงการ ก', 1)
    note('open', 'โครงการ ก', 2)
    note('open', 'โครงการ ข', 3)
    expect(await lines()).toEqual([])
    await recorder.flush()
    expect(await lines()).toEqual(['กล้อง', 'โครงการ ก', 'โครงการ ข'])
    note('open', 'โครงการ ข', 12)
    note('open', 'โครงการ ข', 14)
    await recorder.flush()
    expect((await lines()).slice(3)).toEqual(['โครงการ ข'])
  })

  test('describes report filters in words; refused, prefetched and unfiltered requests are not logged', async () => {
    const app = await appOn(db, { now: () => NOON })
    const { headers } = await signIn(app, 'sales@tharamek.example')
    await db.execute(sql`delete from usage_events`)
    for (const path of [
      'projects',
      'projects?project_method__in=e_bidding&page=2',
      'projects?project_method__in=',
      'projects?page_size=1',
      'projects/69000000000',
      'projects?project_method__in=%3C%3Ce_bidding',
    ])
      await app.inject({ url: `/api/v2/${path}`, headers })
    await app.close()
    expect(await lines()).toEqual(['ค้นหาในรายงาน | วิธีจัดหา | ไม่ใช่ e-bidding'])
  })
})
