import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import {
  getAcceptedRecords,
  getFeedRejections,
  readAllFeedItems,
  writeTemporaryTestFile,
} from '#server/catalogue/feed/feed-for-tests.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { computeNextProjectState } from '#server/catalogue/feed/next-project.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'

const release = (
  id: string,
  more: Readonly<Record<string, unknown>> = {},
  tender: Readonly<Record<string, unknown>> = {},
) => ({
  ocid: `ocds-testxx-${id}`,
  id: `${id}-1`,
  date: '2026-11-20T09:00:00+07:00',
  tag: ['tender'],
  buyer: { id: 'b', name: 'กรมทดสอบ' },
  planning: { budget: { amount: { amount: 1_000_000, currency: 'THB' } } },
  tender: {
    ...{ id, title: `ซื้อเครื่องทดสอบ ${id}`, status: 'active', value: { amount: 1_000_000, currency: 'THB' } },
    tenderPeriod: { endDate: '2026-12-15T16:30:00+07:00' },
    ...tender,
  },
  ...more,
})
const A = '69119901101'
const B = '69119901102'
const read = async (content: string | Uint8Array) =>
  readAllFeedItems((await openFeedFile(writeTemporaryTestFile('x', content))).source)
const readPackage = (releases: readonly unknown[], key = 'releases') =>
  read(JSON.stringify({ version: '1.1', publishedDate: '2026-11-28T00:00:00Z', [key]: releases }))
const readOne = async (value: unknown, key?: string) => {
  const [item] = await readPackage([value], key)
  if (item === undefined || !('record' in item)) throw new Error(JSON.stringify(item))
  return item.record
}
const say = { source: 'ocds', loadId: 1, today: '2026-11-28' }
const stored = (records: readonly FeedRecord[]) => computeNextProjectState(A, undefined, records, say)
const asExisting = (next: ReturnType<typeof stored>) => ({
  ...next,
  ...{ firstLoad: 1, source: 'ocds', fieldSources: {}, attachments: [], announcements: [] },
  bidders: next.bidders ?? [],
  doubts: next.intake?.doubts,
  statedAt: next.intake?.stated_at ?? undefined,
})

describe('files', () => {
  const [a, b] = [release(A), release(B)]
  test.each([
    ['JSON Lines of releases', [a, b].map((line) => JSON.stringify(line)).join('\n')],
    ['JSON Lines, packed', gzipSync([a, b].map((line) => JSON.stringify(line)).join('\r\n'))],
    ['JSON Lines of packages', [a, b].map((line) => JSON.stringify({ version: '1.1', releases: [line] })).join('\n')],
    [
      'JSON Lines of records',
      [a, b].map((line) => JSON.stringify({ ocid: line.ocid, compiledRelease: line })).join('\n'),
    ],
    ['JSON Lines with a mark and commas', `\ufeff${[a, b].map((line) => `${JSON.stringify(line)},`).join('\r\n')}`],
    ['a list of releases', JSON.stringify([a, b], null, 1)],
    ['a list of packages', JSON.stringify([a, b].map((line) => ({ version: '1.1', releases: [line] })))],
    ['a package in UTF-16', Buffer.from(`\ufeff${JSON.stringify({ releases: [a, b] })}`, 'utf16le')],
    ['a package in windows-874', iconv.encode(JSON.stringify({ releases: [a, b] }), 'win874')],
  ])('%s', async (_, content) => {
    const items = await read(content)
    expect(getFeedRejections(items)).toEqual([])
    expect(getAcceptedRecords(items).map(({ projectId, name }) => [projectId, name])).toEqual([
      [A, `ซื้อเครื่องทดสอบ ${A}`],
      [B, `ซื้อเครื่องทดสอบ ${B}`],
    ])
  })

  test('quarantines a bad line with its number', async () => {
    const items = await read(`${JSON.stringify(a)}\n{"ocid": "x", broken\n\n[1]\n${JSON.stringify(b)}\n`)
    expect(getAcceptedRecords(items)).toHaveLength(2)
    expect(getFeedRejections(items).map(({ reason }) => reason)).toEqual(['บรรทัดที่ 2: JSON เสีย', 'release ไม่ใช่ออบเจ็กต์'])
  })

  test('reads ISO-8859-1 and reports it', async () => {
    const latin = { ...a, tender: { ...a.tender, title: 'Adquisición de útiles' }, buyer: { name: 'Educación' } }
    const items = await read(iconv.encode(JSON.stringify({ releases: [latin] }), 'latin1'))
    expect(items[0]).toMatchObject({
      record: { name: 'Adquisición de útiles', deptName: 'Educación' },
      notes: [{ kind: 'file_layout', value: 'ISO-8859-1' }],
    })
  })

  test('rejects an empty package', async () => {
    await expect(readPackage([])).rejects.toThrow(/ไม่มี release สักรายการ/)
    await expect(readPackage([], 'records')).rejects.toThrow(/ไม่มี release สักรายการ/)
  })
})

describe('records', () => {
  const later = release(
    A,
    { date: '2026-11-25T09:00:00+07:00' },
    { tenderPeriod: { endDate: '2026-12-22T16:30:00+07:00' } },
  )

  test.each([
    ['in order', [release(A), later]],
    ['newest first', [later, release(A)]],
  ])('merges embedded releases %s by date', async (_, releases) => {
    expect(await readOne({ ocid: `ocds-x-${A}`, releases }, 'records')).toMatchObject({
      ...{ name: `ซื้อเครื่องทดสอบ ${A}`, submissionEndsOn: '2026-12-22' },
      ...{ submissionTime: '16:30' },
    })
  })

  test('prefers the releases to an empty compiled release', async () => {
    const record = {
      ocid: `ocds-x-${A}`,
      releases: [release(A)],
      compiledRelease: { ocid: `ocds-x-${A}`, tag: ['compiled'] },
    }
    expect((await readOne(record, 'records')).name).toBe(`ซื้อเครื่องทดสอบ ${A}`)
  })

  test('reads the latest values of a versioned release', async () => {
    const versions = (...values: readonly unknown[]) =>
      values.map((value, at) => ({ releaseID: `${at}`, releaseDate: `2026-11-2${at}T00:00:00Z`, value }))
    const versionedRelease = {
      tender: {
        title: versions('ชื่อเดิม', 'ชื่อใหม่'),
        tenderPeriod: { endDate: versions('2026-12-15T16:30:00+07:00', '2026-12-22T16:30:00+07:00') },
      },
      buyer: { name: versions('กรมทดสอบ') },
    }
    expect(await readOne({ ocid: `ocds-x-${A}`, versionedRelease }, 'records')).toMatchObject({
      ...{ projectId: A, name: 'ชื่อใหม่', submissionEndsOn: '2026-12-22', deptName: 'กรมทดสอบ' },
    })
  })

  test('rejects records with linked releases only and names the fix', async () => {
    const record = {
      ocid: `ocds-x-${A}`,
      releases: [{ url: 'https://e.example/1.json', date: '2026-11-20', tag: ['tender'] }],
    }
    expect(getFeedRejections(await readPackage([record, { ocid: 'x', compiledRelease: {} }], 'records'))).toMatchObject(
      [
        { reason: /มีแต่ลิงก์ไปยัง release ไม่มีข้อมูลของโครงการ ดาวน์โหลดชุดข้อมูลที่มี compiledRelease/ },
        { reason: /ไม่มีข้อมูลของโครงการ/ },
      ],
    )
  })
})

describe('precedence by release date', () => {
  const old = release(A, { date: '2026-11-10T09:00:00+07:00' })
  const amended = release(
    A,
    { date: '2026-11-25T09:00:00+07:00' },
    { tenderPeriod: { endDate: '2026-12-29T16:30:00+07:00' } },
  )

  test.each([
    ['newest first', [amended, old]],
    ['oldest first', [old, amended]],
  ])('within a load, %s', async (_, releases) => {
    expect(stored(getAcceptedRecords(await readPackage(releases))).row.submission_ends_on).toBe('2026-12-29')
  })

  test('across loads an older release only fills unknown values', async () => {
    const before = asExisting(stored([await readOne(amended)]))
    const older = await readOne(
      release(A, { date: '2026-11-10T09:00:00+07:00' }, { datePublished: '2026-11-09T00:00:00+07:00' }),
    )
    const next = computeNextProjectState(A, before, [older], { ...say, loadId: 2 })
    expect(next.row).toMatchObject({ submission_ends_on: '2026-12-29', bidding_invited_on: '2026-11-09' })
  })
})

describe('bidders and winners', () => {
  const parties = [
    { id: 131, name: 'บริษัท ยื่นหนึ่ง จำกัด', identifier: { scheme: 'TH-TIN', id: '0105999001314' }, roles: ['tenderer'] },
    { id: 132, name: 'บริษัท ยื่นสอง จำกัด', roles: ['tenderer'] },
  ]
  const award = (suppliers: unknown, more = {}) => ({
    ...{ id: 'a1', status: 'active', value: { amount: 940_000.006, currency: 'THB' }, suppliers },
    ...more,
  })

  test('accepts tenderers as one object and ids as numbers', async () => {
    const bids = {
      details: parties.map(({ id, name }) => ({ value: { amount: 940_000.006 }, tenderers: { id, name } })),
    }
    const record = await readOne(
      release(A, { parties, bids, awards: [award([{ id: '131', name: 'บริษัท ยื่นหนึ่ง จำกัด' }])] }),
    )
    expect(record.bidders).toMatchObject([
      { tin: '0105999001314', isWinner: true, priceSatang: 94_000_001 },
      { name: 'บริษัท ยื่นสอง จำกัด', isWinner: false },
    ])
    for (const empty of [{ bids: { details: [] }, parties: [] }, { bids: { details: [{ tenderers: [{ id: 9 }] }] } }]) {
      const next = computeNextProjectState(A, asExisting(stored([record])), [await readOne(release(A, empty))], {
        ...say,
        loadId: 2,
      })
      expect(next.bidders).toBeUndefined()
    }
  })

  test('reads tenderers as names or keyed by id, once each', async () => {
    const named = [{ name: 'บริษัท ยื่นหนึ่ง จำกัด' }, { name: 'บริษัท ยื่นสอง จำกัด' }]
    for (const tenderers of [
      named.map(({ name }) => name),
      { 131: named[0], 132: named[1] },
      [
        { id: 131, ...named[0] },
        { id: '131', ...named[0] },
        { id: 132, ...named[1] },
      ],
    ])
      expect((await readOne(release(A, { tender: { title: 'ซื้อของ', tenderers } }))).bidders).toMatchObject(named)
  })

  test.each([
    [105546135262, '0105546135262', 'tax_id_repaired'],
    ['105546135262.0', '0105546135262', 'tax_id_repaired'],
    ['0105546135262-00000', '0105546135262', 'tax_id_repaired'],
    ['1.05546E+11', undefined, 'tax_id_unreadable'],
    ['N/A', undefined, undefined],
  ])('reads the tax id %s of a party like that of a table', async (id, tin, kind) => {
    const party = { id: 131, name: 'บริษัท ยื่นหนึ่ง จำกัด', identifier: { scheme: 'TH-TIN', id } }
    const contracts = [{ id: 'c', awardID: 'a1' }]
    const record = await readOne(
      release(A, { parties: [party], contracts, awards: [award([{ id: 131, name: party.name }])] }),
    )
    expect(record.contracts?.[0]?.winnerTin).toBe(tin)
    expect(record.doubts?.map((doubt) => doubt.kind)).toEqual(kind === undefined ? undefined : [kind])
  })

  test('reads a cancellation by its tag alone, and a role or tag that is one text', async () => {
    for (const tag of [['tenderCancellation'], 'tenderCancellation'])
      expect((await readOne(release(A, { tag }))).status).toBe('invitation_cancelled')
    const parties = [{ id: 'u', name: 'หน่วยทดสอบ', roles: 'procuringEntity' }]
    expect((await readOne(release(A, { parties }))).deptSubName).toBe('หน่วยทดสอบ')
  })

  test('reads codes in any case, and no placeholder as a name', async () => {
    for (const status of ['Cancelled', 'canceled', 'UNSUCCESSFUL', 'Pending'])
      expect(
        (await readOne(release(A, { awards: [award([{ name: 'บริษัท ก จำกัด' }], { status })] }))).winnerName,
      ).toBeUndefined()
    for (const name of ['รอ', 'N/A', 'ไม่มี'])
      expect((await readOne(release(A, { awards: [award([{ name }])] }))).winnerName).toBeUndefined()
    expect(
      await readOne(release(A, { tender: { title: 'N/A', description: 'ซื้อเก้าอี้', status: 'Withdrawn' } })),
    ).toMatchObject({
      ...{ name: 'ซื้อเก้าอี้', status: 'project_cancelled' },
    })
  })

  test.each(['Baht', 'บาท', '฿', 'thb'])('an amount in %s is in baht', async (currency) => {
    const value = { amount: '1,000,000', currency }
    expect((await readOne(release(A, { tender: { title: 'ซื้อของ', value } }))).estimateSatang).toBe(100_000_000)
  })

  test("counts winners missing from the tenderers as bidders, as in the standard's example", async () => {
    const record = await readOne(release(A, { parties, awards: [award([{ id: 'x', name: 'บริษัท ชนะ จำกัด' }])] }))
    expect(record.bidders?.map(({ name, isWinner }) => [name, isWinner])).toEqual([
      ['บริษัท ยื่นหนึ่ง จำกัด', false],
      ['บริษัท ยื่นสอง จำกัด', false],
      ['บริษัท ชนะ จำกัด', true],
    ])
    expect(stored([record]).row).toMatchObject({ winner_name: 'บริษัท ชนะ จำกัด', winner_count: 1 })
  })

  test('a contract in a later release adds its winner to the bidders', async () => {
    const before = asExisting(
      stored([
        await readOne(
          release(A, { parties, awards: [award([{ id: 'x', name: 'บริษัท ชนะ จำกัด' }], { status: 'pending' })] }),
        ),
      ]),
    )
    const awards = [award([{ id: 'x', name: 'บริษัท ชนะ จำกัด' }])]
    const signed = await readOne(
      release(A, { date: '2026-11-25T00:00:00Z', awards, contracts: [{ id: 'c', awardID: 'a1' }] }),
    )
    const next = computeNextProjectState(A, before, [signed], { ...say, loadId: 2 })
    expect(next.bidders?.map(({ name, is_winner }) => [name, is_winner])).toEqual([
      ['บริษัท ยื่นหนึ่ง จำกัด', false],
      ['บริษัท ยื่นสอง จำกัด', false],
      ['บริษัท ชนะ จำกัด', true],
    ])
  })

  test('counts one contract over two lots once, and no pending award as winner', async () => {
    const awards = [
      award([{ id: 131, name: 'บริษัท ยื่นหนึ่ง จำกัด' }], { value: { amount: 600_000 } }),
      award([{ id: 131, name: 'บริษัท ยื่นหนึ่ง จำกัด' }], { id: 'a2', value: { amount: 600_000 } }),
      award([{ id: 132, name: 'บริษัท ยื่นสอง จำกัด' }], { id: 'a3', status: 'pending', value: { amount: 700_000 } }),
    ]
    const contracts = ['a1', 'a2'].map((awardID) => ({ id: 42_307, awardID, value: { amount: 600_000 } }))
    const record = await readOne(release(A, { parties, awards, contracts }))
    expect(record).toMatchObject({
      winnerSatang: 60_000_000,
      contracts: [{ contractNo: '42307', amountSatang: 60_000_000 }],
    })
    expect(record.doubts).toMatchObject([{ kind: 'award_pending', value: 'บริษัท ยื่นสอง จำกัด' }])
    expect(stored([record]).row).toMatchObject({ winner_name: 'บริษัท ยื่นหนึ่ง จำกัด', winner_count: 1 })
    const two = contracts.map((contract, at) => ({ ...contract, id: at }))
    expect((await readOne(release(A, { parties, awards, contracts: two }))).winnerSatang).toBe(120_000_000)
  })

  test('a pending award alone has no winner, and an unsuccessful tender is not open', async () => {
    const pending = await readOne(release(A, { parties, awards: [award(parties, { status: 'pending' })] }))
    expect(stored([pending]).row).toMatchObject({ winner_name: null, winner_satang: null })
    expect(stored([await readOne(release(A, {}, { status: 'unsuccessful' }))]).row.status).toBe('invitation_cancelled')
  })

  test('shows both members of a joint venture and credits the amount to neither', async () => {
    const awards = [award(parties.map(({ id, name }) => ({ id, name })))]
    const contracts = [{ id: 'c', awardID: 'a1', value: { amount: 900_000 } }]
    expect((await readOne(release(A, { parties, awards, contracts }))).contracts).toMatchObject([
      { winnerTin: undefined, winnerName: 'บริษัท ยื่นหนึ่ง จำกัด, บริษัท ยื่นสอง จำกัด' },
    ])
  })

  test('a contract in another currency loses only its amount', async () => {
    const contracts = [
      { id: 'c1', awardID: 'a1', value: { amount: 5_000, currency: 'USD' } },
      { id: 'c2', awardID: 'a1', value: { amount: 900_000, currency: 'THB' } },
    ]
    const record = await readOne(release(A, { parties, awards: [award([parties[0]])], contracts }))
    expect(record.contracts?.map(({ amountSatang }) => amountSatang)).toEqual([undefined, 90_000_000])
    expect(record.doubts).toMatchObject([{ kind: 'amount_currency', value: '5000 USD' }])
    expect(record.doubts!.every(({ field }) => field.startsWith('งบสัญญา'))).toBe(true)
  })

  test.each([{ amount: 5_000, currency: 'USD' }, { amount: '12.000.000,50 ประมาณ' }, { amount: 3e14 }])(
    'an award of %j leaves the price of the project unknown, not a part of it',
    async (value) => {
      const awards = [award([parties[0]]), { ...award([parties[1]]), id: 'a2', value }]
      const record = await readOne(release(A, { parties, awards }))
      expect(record.winnerSatang).toBeUndefined()
      expect(record.doubts).toMatchObject([{ field: 'ราคาที่ตกลง (award.value)' }])
    },
  )

  test.each([
    ['ภาคเหนือ', ['province_unknown']],
    ['Chiang Mai Region', ['province_unknown']],
    ['จังหวัดเลย', []],
    ['', []],
  ])('an address in %j is told when unknown', async (region, kinds) => {
    const unit = { id: 'u1', name: 'หน่วยทดสอบ', roles: ['procuringEntity'], address: { region } }
    const record = await readOne(release(A, { parties: [...parties, unit] }))
    expect((record.doubts ?? []).map(({ kind }) => kind)).toEqual(kinds)
  })
})

describe('submission deadline', () => {
  test.each([
    ['2026-12-15T23:59:59Z', '2026-12-15', undefined, 'date_end_of_utc_day'],
    ['2026-12-15T23:59:00+00:00', '2026-12-15', undefined, 'date_end_of_utc_day'],
    ['2026-12-15T00:00:00Z', '2026-12-15', undefined, undefined],
    ['2026-12-15T17:00:00Z', '2026-12-16', undefined, undefined],
    ['2026-12-15T16:30:00+07:00', '2026-12-15', '16:30', undefined],
    ['2026-12-15T16:30:00', '2026-12-15', '16:30', undefined],
    ['2026-12-15T09:30:00Z', '2026-12-15', '16:30', undefined],
    ['2026-12-15T24:00:00', '2026-12-15', undefined, undefined],
    ['2569-12-15T24:00:00+07:00', '2026-12-15', undefined, undefined],
    ['2026-12-15', '2026-12-15', undefined, undefined],
    ['2049-12-31T16:30:00+07:00', undefined, undefined, 'date_impossible'],
    ['2026-02-30', undefined, undefined, 'date_impossible'],
  ])('%s', async (endDate, day, time, kind) => {
    const record = await readOne(release(A, {}, { tenderPeriod: { endDate } }))
    expect([record.submissionEndsOn, record.submissionTime, record.doubts?.[0]?.kind]).toEqual([day, time, kind])
  })
})
