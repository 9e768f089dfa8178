import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeTemporaryTestFile } from '#server/catalogue/feed/feed-for-tests.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { explainMatch } from '#server/matching/explain-match.ts'
import { rematchProjectsAfterRuleChange } from '#server/matching/match-changed-rules.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { loadReportRow } from '#server/report/report-rows.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { addOrganisation, addUser, setConfig } from '../../../test/world/report-world.ts'
import { runDataLoad, withDataLoadLease } from './run-load.ts'

const COLUMNS = [
  'project_id',
  'project_name',
  'project_type_name',
  'dept_name',
  'purchase_method_name',
  'announce_date',
  'project_money',
  'budget_year',
  'province',
  'project_status',
  'winner_tin',
  'winner',
  'contract_no',
  'contract_date',
  'contract_finish_date',
] as const
type Row = Partial<Record<(typeof COLUMNS)[number], string>>

const CAMERA: Row = {
  project_id: '69119906001',
  project_name: 'ประกวดราคาซื้อกล้องวงจรปิด',
  project_type_name: 'ซื้อ',
  dept_name: 'เทศบาลเมืองสมมุติ',
  purchase_method_name: 'ประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
  announce_date: '2026-11-02',
  project_money: '1000000',
  province: 'นนทบุรี',
  project_status: 'ระหว่างดำเนินการ',
}
const WINDOW = { start_date_report: '2026-10-01', end_date_report: '2028-01-31' }

onEachEngineInTurn('a followed project', (makeDb) => {
  let db: OpenDb
  let organisation: number
  let user: number
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    await emptyTables(
      db,
      'organisations',
      'users',
      'projects',
      'loads',
      'project_matches',
      'notifications',
      'job_leases',
    )
    organisation = await addOrganisation(db, { config: WINDOW })
    user = await addUser(db, organisation)
  })

  async function load(today: string, ...rows: readonly Row[]): Promise<void> {
    const lines = [COLUMNS.join(), ...rows.map((row) => COLUMNS.map((name) => row[name] ?? '').join())]
    const { source, fingerprint } = await openFeedFile(writeTemporaryTestFile('projects.csv', `${lines.join('\n')}\n`))
    const options = { origin: 'test', fingerprint: `${fingerprint} ${today}`, today }
    await withDataLoadLease(db, (lease) => runDataLoad(db, lease, source, options))
  }
  const row = (id = CAMERA.project_id!) => loadReportRow(db, id, organisation)
  const star = () =>
    db.execute(sql`insert into bookmarks (user_id, project_id) values (${user}::int, ${CAMERA.project_id})`)
  const updates = async () =>
    (await db.query<{ n: number }>(sql`select count(*)::int as n from notifications where type = 'Updated'`))[0]!.n

  test.each([
    ['project_cancelled', { project_status: 'ยกเลิกโครงการ' }],
    ['invitation_cancelled', { project_status: 'ยกเลิกประกาศเชิญชวน' }],
    ['contract_created', { project_status: 'จัดทำสัญญา', winner: 'ร้านสมมุติ' }],
    ['contract_created', { winner: 'บริษัท สมมุติ จำกัด', contract_no: '1/2570' }],
  ] as const)('stays in the report as %s without a date, is dated by the load and notifies', async (step, changes) => {
    await load('2026-11-20', CAMERA)
    await star()
    await load('2026-11-28', { ...CAMERA, ...changes })
    expect(await row()).toMatchObject({
      status: step,
      movement: step,
      movement_date: '2026-11-28',
      is_movement_undated: true,
    })
    expect(await updates()).toBe(1)
    await load('2026-11-29', { ...CAMERA, ...changes })
    expect(await row()).toMatchObject({ movement_date: '2026-11-28' })
  })

  test('on the board only its cancellation notifies the owner of the card', async () => {
    await load('2026-11-20', CAMERA)
    await db.execute(sql`insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, created_at, changed_at)
      values (${organisation}::int, ${CAMERA.project_id}, 'screened', now(), ${user}::int, now(), now())`)
    await load('2026-11-24', { ...CAMERA, project_money: '1200000' })
    expect(await updates()).toBe(0)
    await load('2026-11-28', { ...CAMERA, project_money: '1200000', project_status: 'ยกเลิกโครงการ' })
    expect(await updates()).toBe(1)
  })

  test('a contract without any date enters the report', async () => {
    const contract = { project_status: 'จัดทำสัญญา', winner: 'ร้านสมมุติ', announce_date: '' }
    await load('2026-11-28', { ...CAMERA, ...contract })
    expect(await row()).toMatchObject({ movement_date: '2026-11-28', is_movement_undated: true })
  })

  test('a status that an older version stored without a date gets one from the next load', async () => {
    await load('2026-11-20', CAMERA)
    await star()
    await db.script(
      `update projects set status = 'project_cancelled', movement = 'project_cancelled', movement_on = null, is_archived = true;
       delete from project_matches`,
    )
    await load('2026-11-28', { ...CAMERA, project_id: '69119906003' })
    expect(await row()).toMatchObject({ movement_date: '2026-11-28', is_movement_undated: true })
  })

  describe('outside the window of the package', () => {
    const marks = {
      starred: star,
      labelled: async () => {
        await db.execute(sql`insert into labels (user_id, id, name, color) values (${user}::int, 'a', 'ก', '#000000')`)
        await db.execute(
          sql`insert into label_assignments (user_id, project_id, label_id) values (${user}::int, ${CAMERA.project_id}, 'a')`,
        )
      },
      'labelled by the team': async () => {
        await db.execute(sql`insert into team_labels (organisation_id, id, name, color, created_at)
          values (${organisation}::int, 'a', 'ก', '#000000', now())`)
        await db.execute(sql`insert into team_label_assignments (organisation_id, project_id, label_id, created_at)
          values (${organisation}::int, ${CAMERA.project_id}, 'a', now())`)
      },
      'on the board': () =>
        db.execute(sql`insert into pursuits (organisation_id, project_id, stage, stage_since, created_at, changed_at)
          values (${organisation}::int, ${CAMERA.project_id}, 'screened', now(), now(), now())`),
    }
    const secondProject = { ...CAMERA, project_id: '69119906002' }

    test.each(Object.keys(marks) as (keyof typeof marks)[])(
      'stays when %s, while another project leaves',
      async (mark) => {
        await load('2026-11-20', CAMERA, secondProject)
        await marks[mark]()
        await setConfig(db, organisation, { ...WINDOW, end_date_report: '2026-11-10' })
        const moved = { announce_date: '2026-11-25' }
        await load('2026-11-28', { ...CAMERA, ...moved }, { ...secondProject, ...moved })
        expect(await row()).toMatchObject({ movement_date: '2026-11-25' })
        expect(await row(secondProject.project_id)).toBeUndefined()
        await rematchProjectsAfterRuleChange(db, organisation, { expressions: ['กล้อง'] })
        await rematchProjectsAfterRuleChange(db, organisation, { all: true })
        expect(await row()).toBeDefined()
        expect(await row(secondProject.project_id)).toBeUndefined()
        const why = await explainMatch(db, CAMERA.project_id!, { organisationId: organisation, userId: user })
        expect(why.in_report).toBe(true)
        expect(why.rules.find(({ rule }) => rule === 'window')!.text).toContain('ทีมติดตามโครงการนี้อยู่')
      },
    )
  })
})
