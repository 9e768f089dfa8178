import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import {
  findSharedTestFile,
  getAcceptedRecords,
  getFeedRejections,
  readAllFeedItems,
  writeTemporaryTestFile,
} from '#server/catalogue/feed/feed-for-tests.ts'
import { createCgdJsonSource, extractCgdProjects } from './cgd-json.ts'
import { createEgpRssSource } from './egp-rss.ts'
import { createOcdsSource } from './ocds.ts'

describe('the CGD API', () => {
  const project = {
    project_id: '68010000001',
    project_name: 'ซื้อ',
    dept_name: 'กรม',
    project_money: '1000',
    contract: [],
  }

  test('reads each contract of a project and quarantines a broken element by its index', async () => {
    const contract = {
      winner: 'ร้าน ก',
      contract_no: '1',
      contract_date: '2025-01-02',
      price_agree: '900.5',
      status: 'สิ้นสุดสัญญา',
    }
    const answer = {
      code: 200,
      status: true,
      result: [
        { ...project, contract: [contract, { ...contract, contract_no: '2' }] },
        7,
        { ...project, project_id: 'x' },
      ],
    }
    const items = await readAllFeedItems(
      createCgdJsonSource(writeTemporaryTestFile('answer.json', JSON.stringify(answer))),
    )
    expect(getAcceptedRecords(items)[0]?.contracts).toMatchObject([
      { contractNo: '1', amountSatang: 90_050, signedOn: '2025-01-02', status: 'สิ้นสุดสัญญา' },
      { contractNo: '2' },
    ])
    expect(getFeedRejections(items).map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'รายการไม่ใช่ออบเจ็กต์'],
      [3, 'รหัสโครงการ "x" ไม่ใช่เลข 11 หลัก'],
    ])
  })

  test('reports an error response in the words of the service', () => {
    expect(() => extractCgdProjects({ code: 401, status: false, msg: 'Invalid api-key' })).toThrow(
      'CGD API ตอบว่าผิดพลาด (code 401) Invalid api-key',
    )
    expect(() => extractCgdProjects({ code: 200, status: true, result: null })).toThrow(/ไม่มีรายการ result/)
  })

  test('reports broken JSON with line and byte', async () => {
    const source = createCgdJsonSource(
      writeTemporaryTestFile('broken.json', '{"code":200,\n"result":[{"project_id":"ก"},]}'),
    )
    await expect(readAllFeedItems(source)).rejects.toThrow(/^JSON เสียที่บรรทัดที่ 2 ไบต์ที่ 4\d/)
  })
})

const rssItem = (description: string, date = '2024-12-04') =>
  `<item>\n<title>ซื้อ &amp; ติดตั้ง</title><link>https://e.example/p?a=1&amp;b=2</link><description>${description}</description><pubDate>${date}</pubDate><guid></guid></item>`
const rss = (...items: string[]) =>
  iconv.encode(
    `<?xml version="1.0" encoding="windows-874"?>\n<rss version="2.0"><channel>\n${items.join('\n')}\n</channel></rss>`,
    'win874',
  )
const rssSource = (...items: string[]) => createEgpRssSource(writeTemporaryTestFile('feed.xml', rss(...items)))

describe('the e-GP feed', () => {
  test('reads an announcement from windows-874 whatever encoding the server states', async () => {
    const items = await readAllFeedItems(
      rssSource(rssItem('67099604064, คัดเลือก, ร่างเอกสารประกวดราคา (e-Bidding) และร่างเอกสารซื้อหรือจ้างด้วยวิธีสอบราคา')),
    )
    expect(items).toEqual([
      {
        line: 3,
        record: {
          projectId: '67099604064',
          name: 'ซื้อ & ติดตั้ง',
          method: 'selective',
          draftPublishedOn: '2024-12-04',
          announcements: [{ movement: 'draft_published', announcedOn: '2024-12-04' }],
          attachments: [
            { url: 'https://e.example/p?a=1&b=2', name: 'ร่าง TOR', step: 'draft_published', publishedOn: '2024-12-04' },
          ],
        },
      },
    ])
  })

  test('allows commas only in the last part of a description, and keeps an unknown type as received', async () => {
    const [record] = getAcceptedRecords(
      await readAllFeedItems(rssSource(rssItem('67099604064, คัดเลือก, ประกาศ ก, ข และ ค'))),
    )
    expect(record?.announcements?.[0]?.movement).toBe('ประกาศ ก, ข และ ค')
  })

  test('quarantines plan numbers and nonsense one by one', async () => {
    const items = await readAllFeedItems(
      rssSource(
        rssItem("P69100030274, ' ', แผนการจัดซื้อจัดจ้าง"),
        rssItem('ไม่มีอะไร'),
        rssItem('67099604064, คัดเลือก, ประกาศเชิญชวน', ''),
      ),
    )
    expect(getFeedRejections(items).map((rejection) => rejection.reason)).toEqual([
      'P69100030274 เป็นเลขที่แผนจัดซื้อจัดจ้าง ยังไม่มีเลขโครงการ',
      'description "ไม่มีอะไร" ไม่ใช่ "เลขโครงการ, วิธี, ประเภทประกาศ"',
      'ไม่มีวันที่ประกาศ (pubDate)',
    ])
  })

  test('reports truncated XML with its line', async () => {
    const source = createEgpRssSource(
      writeTemporaryTestFile('cut.xml', rss(rssItem('67099604064, คัดเลือก, ประกาศเชิญชวน')).subarray(0, 200)),
    )
    await expect(readAllFeedItems(source)).rejects.toThrow(/^XML เสียที่บรรทัด \d+/)
  })
})

const ocds = (...releases: unknown[]) =>
  createOcdsSource(writeTemporaryTestFile('package.json', JSON.stringify({ version: '1.1', releases })))

describe('OCDS', () => {
  const release = {
    ocid: 'ocds-abc-68010000001',
    buyer: { name: 'กรมทดสอบ' },
    parties: [
      { id: 'u1', name: 'สำนักงานเลย', roles: ['procuringEntity'], address: { region: 'เลย' } },
      { id: 's1', name: 'บริษัท ก จำกัด', roles: ['tenderer'], identifier: { scheme: 'TH-TIN', id: '0105546135262' } },
      { id: 's2', name: 'บริษัท ข จำกัด', roles: ['tenderer'] },
    ],
    planning: { budget: { value: { amount: 500.25 }, project: 'จ้างทดสอบ', id: '68123456' } },
    tender: {
      status: 'cancelled',
      procurementMethod: 'selective',
      mainProcurementCategory: 'works',
      awardCriteria: 'ratedCriteria',
      tenderPeriod: { endDate: '2025-03-01T23:30:00+07:00' },
      documents: [{ url: 'https://e.example/tor.pdf', title: 'TOR', datePublished: '2025-02-01T00:00:00+07:00' }],
    },
    awards: [
      {
        id: 'a',
        status: 'active',
        date: '2025-04-01T00:00:00+07:00',
        value: { amount: 400, currency: 'THB' },
        suppliers: [{ id: 's1', name: 'บริษัท ก จำกัด' }],
      },
    ],
    contracts: [
      {
        id: 'c1',
        awardID: 'a',
        status: 'terminated',
        dateSigned: '2025-05-01T00:00:00+07:00',
        value: { amount: 400, currency: 'THB' },
      },
    ],
  }

  test('converts a release with the quirks of Bangkok to one record', async () => {
    expect(getAcceptedRecords(await readAllFeedItems(ocds(release)))[0]).toMatchObject({
      projectId: '68010000001',
      name: 'จ้างทดสอบ',
      deptName: 'กรมทดสอบ',
      deptSubName: 'สำนักงานเลย',
      deptProvince: 42,
      fiscalYear: 2568,
      status: 'invitation_cancelled',
      criteria: 'price_and_other',
      method: 'selective',
      methodType: 'construct',
      budgetSatang: 50_025,
      submissionEndsOn: '2025-03-01',
      winnerAnnouncedOn: '2025-04-01',
      winnerSatang: 40_000,
      contracts: [
        {
          contractNo: 'c1',
          winnerTin: '0105546135262',
          winnerName: 'บริษัท ก จำกัด',
          signedOn: '2025-05-01',
          status: 'สิ้นสุดสัญญา',
        },
      ],
      bidders: [
        { tin: '0105546135262', isWinner: true },
        { name: 'บริษัท ข จำกัด', isWinner: false },
      ],
      attachments: [{ url: 'https://e.example/tor.pdf', name: 'TOR', step: 'invited', publishedOn: '2025-02-01' }],
    })
  })

  test('null clears a value, a missing field does not', async () => {
    const [gone, silent] = getAcceptedRecords(
      await readAllFeedItems(ocds({ ...release, tender: { value: null } }, { ocid: 'ocds-x-1', tender: {} })),
    )
    expect([gone?.estimateSatang, silent?.estimateSatang]).toEqual([null, undefined])
    expect(silent?.projectId).toBe('ocds-x-1')
  })

  test('does not treat other currencies as baht', async () => {
    const foreign = { ...release, tender: { value: { amount: 1, currency: 'GBP' } } }
    expect(getFeedRejections(await readAllFeedItems(ocds(foreign)))[0]?.reason).toBe(
      'ราคากลาง (tender.value): สกุลเงิน GBP ไม่ใช่บาท (THB)',
    )
  })

  test('rejects a document that is not a package', async () => {
    await expect(
      readAllFeedItems(createOcdsSource(writeTemporaryTestFile('a.json', '{"version":"2.0","releases":[]}'))),
    ).rejects.toThrow(/ไม่รองรับ OCDS รุ่น 2.0/)
    await expect(readAllFeedItems(createOcdsSource(writeTemporaryTestFile('a.json', '{"ocid":"x"}')))).rejects.toThrow(
      /ไม่มี releases หรือ records/,
    )
  })
})

const fixture = findSharedTestFile('fixtures/ocds_release_package_300.json')
describe.skipIf(fixture === undefined)('the shared fixtures', () => {
  const shared = (name: string) => findSharedTestFile(`fixtures/${name}`)!

  test.each([
    ['govspending_cgdcontract_100.json', createCgdJsonSource, 100, 0],
    ['egp_rss_D0_constructed.xml', createEgpRssSource, 20, 0],
    ['egp_rss_W0_constructed.xml', createEgpRssSource, 20, 0],
    ['ocds_release_package_300.json', createOcdsSource, 300, 0],
    ['ocds_1.1_fictional_example_release_package.json', createOcdsSource, 0, 6],
  ])('reads %s to the last row', async (name, open, taken, rejected) => {
    const items = await readAllFeedItems(open(shared(name)))
    expect([getAcceptedRecords(items).length, getFeedRejections(items).length]).toEqual([taken, rejected])
  })

  test('reads the fields of manually checked rows', async () => {
    const [invitation] = getAcceptedRecords(
      await readAllFeedItems(createEgpRssSource(shared('egp_rss_D0_constructed.xml'))),
    )
    expect(invitation).toMatchObject({
      projectId: '67099604064',
      name: 'ประกวดราคาจ้างก่อสร้างปรับปรุงโรงเรียนบำรุงรวิวรรณวิทยา ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
      method: 'e_bidding',
      biddingInvitedOn: '2024-12-04',
    })
    const [winner] = getAcceptedRecords(
      await readAllFeedItems(createEgpRssSource(shared('egp_rss_W0_constructed.xml'))),
    )
    expect(winner).toMatchObject({ projectId: '68039364654', winnerAnnouncedOn: '2025-06-12' })
    const [release] = getAcceptedRecords(await readAllFeedItems(createOcdsSource(fixture!)))
    expect(release).toMatchObject({
      projectId: '68039358249',
      deptName: 'กรมการพัฒนาชุมชน',
      deptSubName: 'สำนักงานพัฒนาชุมชนจังหวัดภูเก็ต',
      deptProvince: 83,
      budgetSatang: 206_560_000,
      estimateSatang: 215_291_000,
      winnerSatang: 199_560_000,
      biddingInvitedOn: '2025-03-18',
      contracts: [{ contractNo: '56/2568', winnerTin: '0275563000484', signedOn: '2025-04-22', endsOn: '2025-07-21' }],
      bidders: undefined,
    })
  })
})
