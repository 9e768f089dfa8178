import sql from 'sql-template-tag'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  collectAsyncItems,
  getAcceptedRecords,
  getFeedRejections,
  writeTemporaryTestFile,
} from '#server/catalogue/feed/feed-for-tests.ts'
import { createCgdJsonSource } from '#server/catalogue/feed/sources/cgd-json.ts'
import { createIntakeSourceKeyCipher, listNightlyRuns } from '#server/catalogue/intake/intake-sources.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { CONTACT } from '../../../test/world/intake-world.ts'
import { makeOpenDataWorld } from '../../../test/world/open-data-world.ts'

const EVENING = '2026-11-23T20:05:00+07:00'
const NEXT = '2026-11-24T07:00:00+07:00'
const THIRD = '2026-11-25T07:00:00+07:00'
const KEY = 'Qk3xZ9-key-of-the-operator'

const project = (serial: number, over: object = {}) => ({
  project_id: String(67_089_000_000 + serial),
  project_name: `ซื้อคอมพิวเตอร์ ${serial}`,
  dept_name: 'กรมบัญชีกลาง',
  // The values of these two fields are swapped, as in the published table.
  purchase_method_name: 'วิธีการจัดหา ประกาศเชิญชวนทั่วไป คัดเลือก เฉพาะเจาะจง',
  purchase_method_group_name: 'คัดเลือก',
  project_money: '500000',
  budget_year: '2568',
  contract: [
    {
      winner_tin: '0105546135262',
      winner: 'บริษัท ทดสอบ จำกัด',
      contract_no: '1/2568',
      contract_date: '7 ก.พ. 68',
      price_agree: '490000',
    },
  ],
  ...over,
})

onEachEngineInTurn('the contract interface, fetched with a key', (makeDb) => {
  let db: OpenDb
  let world: Awaited<ReturnType<typeof makeOpenDataWorld>>
  let rows: ReturnType<typeof project>[]
  let quota: number
  let time = 0
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    world = await makeOpenDataWorld(db, EVENING)
    rows = Array.from({ length: 2_300 }, (_, serial) => project(serial + 1))
    quota = Number.POSITIVE_INFINITY
    world.server.answer = ({ path, query }) => {
      if (path !== '/govspending/service/egp-contract') return undefined
      if (query.get('api-key') !== KEY) return { status: 401, json: {} }
      if (quota === 0) return { status: 429, json: {} }
      quota -= 1
      time += 1
      const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))]
      const yearRows = query.get('year') === '2568' ? rows : []
      return {
        status: 200,
        json: { success: true, time, total: yearRows.length, data: yearRows.slice(offset, offset + limit) },
      }
    }
  })
  afterEach(() => world.close())

  const on = (key: string | undefined = KEY) =>
    world.on('cgd-api', { address: `${world.server.origin}/govspending/service/egp-contract`, parts: '2568' }, key)
  const requestedOffsets = () => world.server.requests.map(({ query }) => Number(query.get('offset')))
  const projects = async () => (await db.query<{ n: number }>(sql`select count(*)::int as n from projects`))[0]!.n

  test('loads page by page as one load with mapped methods; the next night fetches only changes', async () => {
    await on()
    await world.live(NEXT)
    expect(requestedOffsets()).toEqual([0, 1_000, 2_000])
    expect(await projects()).toBe(2_300)
    expect(await db.query(sql`select source, state, read_rows as rows from loads`)).toEqual([
      { source: 'cgd-json', state: 'published', rows: 2_300 },
    ])
    expect((await listNightlyRuns(db, 'cgd-api', 9))[0]).toMatchObject({
      outcome: 'complete',
      requests: 3,
      items: 2_300,
      newItems: 2_300,
    })
    expect(new Set(world.server.requests.map(({ agent }) => agent))).toEqual(
      new Set([`tamngan/1.0 (+mailto:${CONTACT})`]),
    )
    await world.live(THIRD)
    expect(requestedOffsets().slice(3)).toEqual([0])
    rows.push(project(2_301))
    await world.live('2026-11-26T07:00:00+07:00')
    expect(requestedOffsets().slice(4)).toEqual([0, 1_000, 2_000])
    expect(await projects()).toBe(2_301)
    expect((await listNightlyRuns(db, 'cgd-api', 9))[0]).toMatchObject({ items: 301, newItems: 1 })
  })

  test('an exhausted quota ends the night; rows so far are imported, and the next night resumes at the page', async () => {
    quota = 2
    await on()
    await world.live(NEXT)
    expect(requestedOffsets()).toEqual([0, 1_000, 2_000])
    expect(await projects()).toBe(2_000)
    expect((await listNightlyRuns(db, 'cgd-api', 9))[0]).toMatchObject({ outcome: 'refused', refusals: 1 })
    quota = 10
    await world.live(THIRD)
    expect(requestedOffsets().slice(3)).toEqual([2_000])
    expect(await projects()).toBe(2_300)
  })

  test('killed between pages, another process continues at the next page and requests none twice', async () => {
    await on()
    const ended = new AbortController()
    const { createGet } = world.parts.intake
    const broken: typeof createGet = (settings) => {
      const get = createGet(settings)
      return async (address, request) => {
        if (address.searchParams.get('offset') === '1000') ended.abort(new Error('killed'))
        return await get(address, request)
      }
    }
    Object.assign(world.parts.intake, { createGet: broken })
    world.clock.pass(20_000)
    await world.turn(ended.signal).catch(() => undefined)
    expect(await projects()).toBe(0)
    Object.assign(world.parts.intake, { createGet })
    await db.script(`update jobs set state = 'waiting', leased_by = null, lease_until = null where state = 'running'`)
    await world.live(NEXT)
    expect(requestedOffsets().filter((offset) => offset === 0)).toEqual([0])
    expect(await projects()).toBe(2_300)
  })

  test('requires and seals the key and never returns it; a refused or unreadable key halts the source (R14)', async () => {
    await expect(on('')).rejects.toThrow('--key')
    await expect(world.on('cgd-api', { address: `${world.server.origin}/x` })).rejects.toThrow('--key')
    await on()
    await world.live(NEXT)
    expect(await world.overview('cgd-api')).toMatchObject({ hasKey: true, needsKey: true })
    const visibleState = JSON.stringify([
      await world.overview('cgd-api'),
      await db.query(sql`select * from intake_sources`),
      await db.query(sql`select * from intake_files`),
      await db.query(sql`select * from jobs`),
      await db.query(sql`select * from loads`),
    ])
    expect(visibleState).not.toContain(KEY)
    await on('another-key-that-nobody-knows')
    await world.live(THIRD)
    expect((await world.overview('cgd-api')).halted?.reason).toContain('HTTP 401')
    Object.assign(world.parts.intake, { seal: createIntakeSourceKeyCipher(['another secret that is long enough']) })
    await on()
    Object.assign(world.parts.intake, { seal: createIntakeSourceKeyCipher(['a third secret that is long enough too']) })
    await world.live('2026-11-26T07:00:00+07:00')
    expect((await world.overview('cgd-api')).halted?.reason).toContain('AUTH_SECRET')
    expect(world.mails).toHaveLength(2)
  })

  test('treats error and quota messages as failures, not as data', async () => {
    const { answer } = world.server
    const failedAnswers = [
      { status: 200, json: { success: false, message: 'internal error' } },
      { status: 500, json: {} },
    ]
    world.server.answer = (request) => failedAnswers.shift() ?? answer(request)
    await on()
    await world.live(NEXT)
    expect(await projects()).toBe(2_300)
    world.server.answer = () => ({ status: 200, json: { success: false, message: 'API quota exceeded' } })
    await world.live(THIRD)
    expect((await listNightlyRuns(db, 'cgd-api', 9)).map(({ outcome }) => outcome)).toEqual(['refused', 'complete'])
  })
})

test('detects both traps in JSON as in the table: shifted columns, swapped methods', async () => {
  const names =
    'รหัสโครงการ,ชื่อโครงการ,ชื่อหน่วยงาน,วิธีจัดซื้อฯ,กลุ่มวิธีจัดซื้อฯ,จังหวัด,จังหวัด (Eng),เขต/อำเภอ,เขต/อำเภอ (Eng),แขวง/ตำบล,แขวง/ตำบล (Eng),สถานะโครงการ,พิกัดของโครงการ,ละติจูดโครงการ,ลองจิจูดโครงการ,เลขนิติบุคคล,ชื่อผู้ชนะ,เลขที่สัญญา,วันที่ลงนามสัญญา,วันที่สิ้นสุดสัญญา,งบสัญญา(บาท),สถานะสัญญา'.split(
      ',',
    )
  const cells =
    '67089000001,ซื้อกล้อง,กรมทดสอบ,วิธีการจัดหา ประกาศเชิญชวนทั่วไป คัดเลือก เฉพาะเจาะจง,คัดเลือก,เลย,เมืองเลย,กุดป่อง,สิ้นสุดสัญญา,,17.48,101.72,0105546135262,บริษัท ทดสอบ จำกัด,1/2568,7 ก.พ. 68,8 มี.ค. 68,990,สิ้นสุดสัญญา,,,'.split(
      ',',
    )
  const flat = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))
  const swapped = project(2)
  const shifted = project(3, { contract: [{ winner_tin: 'LINESTRING', winner: '7 ก.พ. 68', contract_no: '990' }] })
  const path = writeTemporaryTestFile('page.json', JSON.stringify({ success: true, data: [flat, swapped, shifted] }))
  const items = await collectAsyncItems(createCgdJsonSource(path).records(0))
  expect(getAcceptedRecords(items)).toMatchObject([
    {
      method: 'selective',
      district: 'เมืองเลย',
      contracts: [{ winnerName: 'บริษัท ทดสอบ จำกัด', signedOn: '2025-02-07' }],
    },
    { method: 'selective', contracts: [{ winnerName: 'บริษัท ทดสอบ จำกัด' }] },
  ])
  expect(getFeedRejections(items).map(({ reason }) => reason)).toEqual([expect.stringContaining('เลื่อน')])
})
