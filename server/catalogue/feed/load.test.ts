import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import {
  createListFeedSource,
  createTestFeedRecord,
  createTestFeedRecords,
  findSharedTestFile,
} from './feed-for-tests.ts'
import type { FeedSource } from './feed-source.ts'
import { publishDataLoad } from './load.ts'
import { openFeedFile } from './open-feed-file.ts'
import { stageDataLoad } from './stage-load.ts'

const TODAY = '2026-06-15'
onEachEngine('loads', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(() => emptyTables(db, 'loads', 'departments', 'projects'))

  let prints = 0
  const newPrint = () => {
    prints += 1
    return `print ${prints}`
  }
  async function load(source: FeedSource, today = TODAY, fingerprint = newPrint()) {
    const staged = await stageDataLoad(db, source, { origin: 'test', fingerprint })
    const published = await db.transaction((tx) => publishDataLoad(tx, staged.loadId, { today }))
    return { ...staged, ...published }
  }
  const count = async (table: 'projects' | 'contracts' | 'staged_chunks' | 'quarantined_rows' | 'project_changes') => {
    const tables = {
      projects: sql`projects`,
      contracts: sql`contracts`,
      staged_chunks: sql`staged_chunks`,
      quarantined_rows: sql`quarantined_rows`,
      project_changes: sql`project_changes`,
    }
    const rows = await db.query<{ n: number }>(sql`select count(*)::int as n from ${tables[table]}`)
    return rows[0]!.n
  }
  const changes = () =>
    db.query(
      sql`select project_id, load_id, field, old_value, new_value from project_changes order by project_id, field`,
    )

  describe('publishing', () => {
    test('writes projects, departments and their dependent rows', async () => {
      const { loadId } = await load(
        createListFeedSource([
          createTestFeedRecord({
            latitude: 17.5,
            longitude: 101.7,
            contracts: [
              {
                contractNo: '1',
                winnerTin: '0105546135262',
                winnerName: 'บริษัท ก จำกัด',
                amountSatang: 1_000_001,
                signedOn: '2026-06-10',
                endsOn: '2026-12-10',
                status: 'ระหว่างดำเนินการ',
              },
            ],
            bidders: [
              { name: 'บริษัท ก จำกัด', tin: '0105546135262', priceSatang: 1_000_001, isWinner: true },
              { name: 'บริษัท "ข", {จำกัด} \\', isWinner: false, isSme: true },
            ],
            attachments: [{ url: 'https://e.example/1', name: 'TOR', step: 'invited', publishedOn: '2026-06-01' }],
            announcements: [{ movement: 'invited', announcedOn: '2026-06-01' }],
          }),
        ]),
      )
      const [project] = await db.query(sql`
        select p.*, d.name as dept_name, d.sub_name, d.province as dept_province from projects p join departments d on d.id = p.department_id`)
      expect(project).toMatchObject({
        project_id: '68010000001',
        name_search: 'ประกวดราคาจ้างก่อสร้างถนน',
        dept_name: 'กรมทดสอบ',
        sub_name: 'สำนักงานเลย',
        dept_province: 42,
        latitude: 17.5,
        fiscal_year: 2569,
        status: 'contract_created',
        movement: 'contract_created',
        movement_on: '2026-06-10',
        method_type: 'construct',
        winner_name: 'บริษัท ก จำกัด',
        winner_count: 1,
        winner_satang: 1_000_001,
        contract_signed_on: '2026-06-10',
        is_archived: false,
        source: 'list',
        first_load: loadId,
        changed_load: loadId,
        written_load: loadId,
      })
      expect(await db.query(sql`select * from bidders order by position`)).toEqual([
        {
          project_id: '68010000001',
          position: 1,
          tin: '0105546135262',
          name: 'บริษัท ก จำกัด',
          price_satang: 1_000_001,
          is_winner: true,
          is_sme: null,
        },
        {
          project_id: '68010000001',
          position: 2,
          tin: null,
          name: 'บริษัท "ข", {จำกัด} \\',
          price_satang: null,
          is_winner: false,
          is_sme: true,
        },
      ])
      expect(await db.query(sql`select contract_no, amount_satang, ends_on from contracts`)).toEqual([
        { contract_no: '1', amount_satang: 1_000_001, ends_on: '2026-12-10' },
      ])
      expect(await db.query(sql`select url, published_on, first_load from attachments`)).toEqual([
        { url: 'https://e.example/1', published_on: '2026-06-01', first_load: loadId },
      ])
      expect(await db.query(sql`select movement, announced_on from announcements`)).toEqual([
        { movement: 'invited', announced_on: '2026-06-01' },
      ])
      expect(
        await db.query(sql`select state, read_rows, staged_rows, quarantined_rows, new_projects from loads`),
      ).toEqual([{ state: 'published', read_rows: 1, staged_rows: 1, quarantined_rows: 0, new_projects: 1 }])
      expect(await count('staged_chunks')).toBe(0)
    })

    test('loading the same data twice updates and writes nothing', async () => {
      const source = createListFeedSource(
        createTestFeedRecords(1_200, (index) => ({ contracts: [{ contractNo: String(index), winnerName: 'ร้าน ก' }] })),
      )
      const first = await load(source)
      expect(await load(source)).toMatchObject({
        read: 1_200,
        newProjects: 0,
        updatedProjects: 0,
        unchangedProjects: 1_200,
      })
      expect(await changes()).toEqual([])
      expect(await db.query(sql`select distinct written_load, changed_load from projects`)).toEqual([
        { written_load: first.loadId, changed_load: first.loadId },
      ])
    })

    test('a moved date records one change from old to new and updates only its project', async () => {
      await load(createListFeedSource(createTestFeedRecords(3)))
      const second = await load(
        createListFeedSource(
          createTestFeedRecords(3, (index) => (index === 1 ? { submissionEndsOn: '2026-07-08' } : {})),
        ),
      )
      expect(second).toMatchObject({ newProjects: 0, updatedProjects: 1, unchangedProjects: 2 })
      expect(await changes()).toEqual([
        {
          project_id: '68010000001',
          load_id: second.loadId,
          field: 'submission_end_date',
          old_value: '2026-06-20',
          new_value: '2026-07-08',
        },
      ])
      expect(await db.query(sql`select project_id from projects where changed_load = ${second.loadId}`)).toEqual([
        { project_id: '68010000001' },
      ])
    })

    test('adds up contracts of one project across chunks, adjacent or far apart', async () => {
      const contract = (contractNo: string) => ({
        contracts: [{ contractNo, winnerName: `ร้าน ${contractNo}`, amountSatang: 100 }],
      })
      const filler = createTestFeedRecords(2_500, () => ({})).slice(10)
      const firstRecord = createTestFeedRecord({ projectId: '68010000001', ...contract('1') })
      const result = await load(
        createListFeedSource([
          firstRecord,
          ...filler.slice(0, 1_999),
          { ...firstRecord, ...contract('2') },
          ...filler.slice(1_999),
          { ...firstRecord, ...contract('3') },
        ]),
      )
      expect(result).toMatchObject({ newProjects: 2_491, updatedProjects: 0, unchangedProjects: 0 })
      expect(
        await db.query(sql`select winner_satang, winner_count from projects where project_id = '68010000001'`),
      ).toEqual([{ winner_satang: 300, winner_count: 3 }])
      expect(await count('contracts')).toBe(3)
    }, 60_000)

    test('ignores a change reverted within the same load', async () => {
      await load(createListFeedSource([createTestFeedRecord()]))
      const filler = createTestFeedRecords(4_000).slice(10)
      const result = await load(
        createListFeedSource([createTestFeedRecord({ budgetSatang: 5 }), ...filler, createTestFeedRecord()]),
      )
      expect(result).toMatchObject({ newProjects: 3_990, updatedProjects: 0, unchangedProjects: 1 })
      expect(await count('project_changes')).toBe(0)
    }, 60_000)

    test('updates projects by time alone: bids close, old contracts are archived', async () => {
      await load(
        createListFeedSource([
          ...createTestFeedRecords(2),
          createTestFeedRecord({ projectId: '68010000005', contracts: [{ contractNo: '1', signedOn: '2026-06-10' }] }),
        ]),
      )
      const closed = await load(createListFeedSource(createTestFeedRecords(1)), '2026-06-21')
      expect(closed).toMatchObject({ newProjects: 0, updatedProjects: 2, unchangedProjects: 0 })
      expect(await changes()).toMatchObject([
        { project_id: '68010000000', field: 'movement', old_value: 'invited', new_value: 'bids_closed' },
        { project_id: '68010000001', field: 'movement', old_value: 'invited', new_value: 'bids_closed' },
      ])
      const quiet = await load(createListFeedSource([]), '2026-12-08')
      expect(quiet.updatedProjects).toBe(0)
      expect(await db.query(sql`select project_id, written_load from projects where is_archived`)).toEqual([
        { project_id: '68010000005', written_load: quiet.loadId },
      ])
    })

    test('same-named local bodies in two provinces are two departments', async () => {
      await load(
        createListFeedSource([
          createTestFeedRecord({ projectId: '1', deptProvince: 42 }),
          createTestFeedRecord({ projectId: '2', deptProvince: 50 }),
          createTestFeedRecord({ projectId: '3', deptProvince: null }),
          createTestFeedRecord({ projectId: '4', deptProvince: null }),
        ]),
      )
      expect(await db.query(sql`select province from departments order by province`)).toEqual([
        { province: 42 },
        { province: 50 },
        { province: null },
      ])
    })
  })

  const upstream = findSharedTestFile('egp-2568-upstream-shifted-2000.csv')
  describe.skipIf(upstream === undefined)('shared data', () => {
    test('imports the upstream file and each fixture without losing a row', async () => {
      const names = [
        'egp-2568-upstream-shifted-2000.csv',
        'fixtures/govspending_cgdcontract_100.json',
        'fixtures/egp_rss_D0_constructed.xml',
        'fixtures/egp_rss_W0_constructed.xml',
        'fixtures/ocds_release_package_300.json',
        'fixtures/ocds_1.1_fictional_example_release_package.json',
      ]
      const results = []
      for (const name of names) {
        const { source, fingerprint } = await openFeedFile(findSharedTestFile(name)!)
        const { read, staged, quarantined } = await load(source, '2025-10-15', fingerprint)
        results.push([read, staged, quarantined])
      }
      expect(results).toEqual([
        [2_000, 2_000, 0],
        [100, 100, 0],
        [20, 20, 0],
        [20, 20, 0],
        [300, 300, 0],
        [6, 0, 6],
      ])
      const [project] = await db.query(sql`select * from projects where project_id = '67109362379'`)
      expect(project).toMatchObject({
        winner_name: 'ห้างหุ้นส่วนจำกัด เอ็มพี เมดซายน์',
        winner_satang: 111_570_000,
        budget_satang: 121_020_000,
        estimate_satang: 130_860_832,
        bidding_invited_on: '2024-11-12',
        contract_signed_on: '2024-12-20',
        method: 'e_bidding',
        method_type: 'buy',
        status: 'contract_created',
        movement: 'contract_created',
        movement_on: '2024-12-20',
        is_archived: true,
      })
    }, 60_000)
  })
})
