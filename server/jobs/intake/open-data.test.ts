import { readdir } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNightlyRuns } from '#server/catalogue/intake/intake-sources.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { CONTACT } from '../../../test/world/intake-world.ts'
import { buildContractsCsv, buildReleasesJson, makeOpenDataWorld } from '../../../test/world/open-data-world.ts'

/** The evening of a Monday. */
const EVENING = '2026-11-23T20:05:00+07:00'
const NEXT = '2026-11-24T07:00:00+07:00'
const THIRD = '2026-11-25T07:00:00+07:00'

onEachEngineInTurn('the catalogue of open data, fetched', (makeDb) => {
  let db: OpenDb
  let world: Awaited<ReturnType<typeof makeOpenDataWorld>>
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    world = await makeOpenDataWorld(db, EVENING)
  })
  afterEach(() => world.close())

  function publish(year: number, files: readonly string[], modified = '2026-11-01T00:00:00'): void {
    const resources = files.map((text, index) => ({
      url: world.server.put(`/dataset/${year}/${year}-${index + 1}.csv`, text),
      name: `${year}-egp-contract-${index + 1}`,
      format: 'CSV',
      last_modified: modified,
    }))
    const sheet = { url: `${world.server.origin}/sheet.xlsx`, name: 'sheet', format: 'XLSX' }
    world.server.packages.set(`egp-contact-${year}`, [...resources, sheet])
  }
  const downloads = () => world.server.requests.filter(({ path: requestPath }) => requestPath.startsWith('/dataset/'))
  const published = async () => (await db.query(sql`select from loads where state = 'published'`)).length

  test('fetches package, resources and files of this and last fiscal year; the next night only changes', async () => {
    publish(2569, [buildContractsCsv(20, 1), buildContractsCsv(20, 21)])
    await world.on('ckan')
    await world.live(NEXT)
    expect(await world.outcomes('ckan')).toEqual([
      ['2569-egp-contract-1', 'imported', 20, 20],
      ['2569-egp-contract-2', 'imported', 20, 20],
    ])
    // The fiscal year that has just started is not published yet.
    expect(world.server.requests.slice(0, 2).map(({ query }) => query.get('id'))).toEqual([
      'egp-contact-2569',
      'egp-contact-2570',
    ])
    expect(new Set(world.server.requests.map(({ agent }) => agent))).toEqual(
      new Set([`tamngan/1.0 (+mailto:${CONTACT})`]),
    )
    expect(await readdir(path.join(world.dataDir, 'intake', 'ckan'))).toEqual([])
    expect((await listNightlyRuns(db, 'ckan', 9))[0]).toMatchObject({
      outcome: 'complete',
      planned: 2,
      requests: 4,
      items: 40,
    })

    const [first, second] = world.server.packages.get('egp-contact-2569')!
    world.server.put('/dataset/2569/2569-2.csv', buildContractsCsv(25, 21, 700_000))
    world.server.packages.set('egp-contact-2569', [first!, { ...second!, last_modified: '2026-11-24T00:00:00' }])
    await world.live(THIRD)
    expect(downloads().map(({ path: requestPath }) => requestPath.at(-5))).toEqual(['1', '2', '2'])
    expect((await world.outcomes('ckan')).at(-1)).toEqual(['2569-egp-contract-2', 'imported', 25, 5])
    expect(await published()).toBe(3)
  })

  test('does not import the same content under another date again', async () => {
    publish(2569, [buildContractsCsv(5)])
    await world.on('ckan', { parts: '2569' })
    await world.live(NEXT)
    publish(2569, [buildContractsCsv(5)], '2026-11-24T00:00:00')
    await world.live(THIRD)
    expect((await world.outcomes('ckan')).map(([, state]) => state)).toEqual(['imported', 'known'])
    expect(await published()).toBe(1)
  })

  test('resumes a stalled download in any process, restarts a changed file and never mixes two versions', async () => {
    publish(2569, [buildContractsCsv(200)])
    const file = '/dataset/2569/2569-1.csv'
    world.server.faults.set(file, { kind: 'stalls', after: 5_000, times: 2 })
    await world.on('ckan', { parts: '2569' })
    await world.live(NEXT)
    expect(downloads().map(({ range }) => range)).toEqual([undefined, 'bytes=5000-', 'bytes=10000-'])
    expect(await world.outcomes('ckan')).toEqual([['2569-egp-contract-1', 'imported', 200, 200]])
    expect((await listNightlyRuns(db, 'ckan', 9))[0]).toMatchObject({ outcome: 'complete', timeouts: 2 })

    const [resource] = world.server.packages.get('egp-contact-2569')!
    world.server.packages.set('egp-contact-2569', [{ ...resource!, last_modified: '2026-11-24T00:00:00' }])
    world.server.put(file, buildContractsCsv(200, 1_000), '"before"')
    world.server.faults.set(file, { kind: 'stalls', after: 5_000, times: 1 })
    await world.live('2026-11-24T20:02:00+07:00')
    world.server.put(file, buildContractsCsv(150, 2_000), '"after"')
    await world.live(THIRD)
    expect(downloads().at(-1)!.range).toBe('bytes=5000-')
    expect((await world.outcomes('ckan')).at(-1)).toEqual(['2569-egp-contract-1', 'imported', 150, 150])
  })

  test('downloads the whole file when the server supports no ranges', async () => {
    publish(2569, [buildContractsCsv(200)])
    const file = '/dataset/2569/2569-1.csv'
    world.server.faults.set(file, { kind: 'stalls', after: 5_000, times: 1 })
    await world.on('ckan', { parts: '2569' })
    await world.live('2026-11-23T20:06:00+07:00')
    world.server.faults.set(file, { kind: 'whole' })
    await world.live(NEXT)
    expect(downloads()).toHaveLength(2)
    expect(await world.outcomes('ckan')).toEqual([['2569-egp-contract-1', 'imported', 200, 200]])
  })

  test('429 and 503 pause everything 5, 15 and 45 minutes, then until the next night; an HTML page halts it', async () => {
    publish(2569, [buildContractsCsv(5)])
    world.server.faults.set('/dataset/2569/2569-1.csv', { kind: 'status', status: 429 })
    await world.on('ckan', { parts: '2569' })
    await world.live(NEXT)
    expect(downloads()).toHaveLength(4)
    expect((await listNightlyRuns(db, 'ckan', 9))[0]).toMatchObject({ outcome: 'refused', refusals: 4 })
    world.server.faults.set('/api/3/action/package_show', { kind: 'page' })
    await world.live(THIRD)
    expect((await world.overview('ckan')).halted).toMatchObject({ reason: 'received a web page instead of data' })
    expect(world.mails).toEqual([{ to: CONTACT, subject: 'หยุดดึงข้อมูลจาก ckan: ต้นทางปฏิเสธ' }])
    const requestCount = world.server.requests.length
    await world.live('2026-11-27T07:00:00+07:00')
    expect(world.server.requests).toHaveLength(requestCount)
  })

  test('reports a missing, foreign or unusable file and imports the others', async () => {
    publish(2569, ['<!DOCTYPE html><html></html>', 'a,b\n1,2\n', buildContractsCsv(5)])
    const more = [
      { url: 'https://files.example/other.csv', name: 'other host', format: 'CSV', last_modified: '1' },
      { url: `${world.server.origin}/dataset/none.csv`, name: 'missing', format: 'CSV', last_modified: '1' },
      { url: `${world.server.origin}/dataset/away.csv`, name: 'leads away', format: 'CSV', last_modified: '1' },
    ]
    world.server.faults.set('/dataset/away.csv', { kind: 'redirects', to: 'http://169.254.169.254/latest/meta-data' })
    world.server.packages.set('egp-contact-2569', [...world.server.packages.get('egp-contact-2569')!, ...more])
    await world.on('ckan', { parts: '2569' })
    await world.live(NEXT)
    expect((await world.outcomes('ckan')).map(([name, state]) => [name, state])).toEqual([
      ['2569-egp-contract-1', 'failed'],
      ['2569-egp-contract-2', 'failed'],
      ['2569-egp-contract-3', 'imported'],
      ['other host', 'failed'],
      ['missing', 'failed'],
      ['leads away', 'failed'],
    ])
    const reasons = (await world.overview('ckan')).files.toSorted((a, b) => a.id - b.id).map(({ reason }) => reason)
    expect(reasons[0]).toContain('หน้าเว็บ')
    expect(reasons[3]).toContain('files.example')
    expect(reasons[4]).toContain('404')
    expect(reasons[5]).toContain('169.254.169.254')
  })

  test('lists packages of a pattern page by page and reports an unknown name', async () => {
    for (let n = 0; n < 120; n += 1) {
      const format = n % 40 === 39 ? 'CSV' : 'XLSX'
      const url = world.server.put(`/dataset/${n}.csv`, buildContractsCsv(1, n + 1))
      world.server.packages.set(`egp-extra-${String(n).padStart(3, '0')}`, [{ url, name: `extra ${n}`, format }])
    }
    await world.on('ckan', { parts: 'egp-extra-*, nothing-like-it' })
    await world.live(NEXT)
    expect(
      world.server.requests.filter(({ path: requestPath }) => requestPath.endsWith('package_search')),
    ).toHaveLength(3)
    expect(downloads()).toHaveLength(3)
    expect(await db.query(sql`select state, count(*)::int as n from intake_files group by 1 order by 1`)).toEqual([
      { state: 'failed', n: 1 },
      { state: 'imported', n: 3 },
    ])
  })

  test('imports the weekly OCDS file once, and again only after it changed', async () => {
    const address = `${world.server.origin}/yearly/ocds_releases_{year}.json`
    world.server.put('/yearly/ocds_releases_2569.json', buildReleasesJson(['ก', 'ข']), '"week 1"')
    await world.on('ocds', { address })
    await world.live(NEXT)
    expect(await world.outcomes('ocds')).toEqual([
      ['ocds_releases_2569.json', 'imported', 2, 2],
      ['ocds_releases_2570.json', 'failed', 0, 0],
    ])
    await world.live(THIRD)
    expect(world.server.requests.map(({ condition }) => condition)).toEqual([
      undefined,
      undefined,
      '"week 1"',
      undefined,
    ])
    world.server.put('/yearly/ocds_releases_2569.json', buildReleasesJson(['ก', 'ข', 'ค']), '"week 2"')
    await world.live('2026-11-26T07:00:00+07:00')
    expect((await world.outcomes('ocds'))[0]).toEqual(['ocds_releases_2569.json', 'imported', 3, 1])
    expect(await published()).toBe(2)
    expect((await world.overview('ocds')).totalReceived).toBe(3)
  })

  test('imports the agency list, keeps provinces that it omits, and rejects a truncated list', async () => {
    const list = (count: number) =>
      [
        'รหัสหน่วยงาน,ชื่อหน่วยงาน,สังกัด',
        ...Array.from({ length: count }, (_, n) => `${5_000_000 + n},เทศบาลตำบลทดสอบ ${n},เทศบาลตำบล`),
      ].join('\n')
    const offer = (text: string, modified: string) =>
      world.server.packages.set('egpdepartment', [
        {
          url: world.server.put('/dataset/agencies.csv', text),
          name: 'agencies',
          format: 'CSV',
          last_modified: modified,
        },
      ])
    offer(list(100), '1')
    await world.on('agencies', { opensAt: '20:00', closesAt: '06:00' })
    await world.live(NEXT)
    expect(await world.outcomes('agencies')).toEqual([['agencies', 'imported', 100, 0]])
    await db.script(`update agency_directory set province = 50`)
    offer(list(10), '2')
    await world.live(THIRD)
    offer(list(101), '3')
    await world.live('2026-11-26T07:00:00+07:00')
    expect((await world.outcomes('agencies')).map(([, state]) => state)).toEqual(['imported', 'failed', 'imported'])
    const [row] = await db.query(sql`
      select (select count(*) from intake_agencies)::int as asked, (select count(*) from agency_directory where province = 50)::int as placed`)
    expect(row).toEqual({ asked: 101, placed: 100 })
  })
})
