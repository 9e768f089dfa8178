const HEADER =
  'project_id,project_name,dept_name,announce_date,project_money,price_build,sum_price_agree,province,project_status,winner_tin,winner,contract_no,contract_date,contract_price_agree'
const row = (id: number) =>
  `${id},"จ้างทำความสะอาด, สำนักงาน",กรมทดสอบ,2026-10-05,1000000,1000000,950000,ลำปาง,จัดทำสัญญา/PO แล้ว,0105546135262,บริษัท ทดสอบ จำกัด,1/2570,7 ก.พ. 68,950000`
const release = (id: number) => ({
  ...{ ocid: `ocds-x-${id}`, id: 'r', date: '2026-11-20T09:00:00+07:00', tag: ['award'], buyer: { name: 'กรมทดสอบ' } },
  parties: [
    { id: 1, name: 'บริษัท ทดสอบ จำกัด', identifier: { scheme: 'TH-TIN', id: '0105546135262' }, roles: ['tenderer'] },
  ],
  tender: {
    id: `${id}`,
    title: 'ซื้อเครื่องทดสอบ',
    tenderPeriod: { endDate: '2026-12-15T16:30:00+07:00' },
    value: { amount: 10, currency: 'THB' },
  },
  awards: [{ id: 'a', status: 'active', value: { amount: 9 }, suppliers: [{ id: 1, name: 'บริษัท ทดสอบ จำกัด' }] }],
  contracts: [{ id: 'c', awardID: 'a', value: { amount: 9 }, dateSigned: '2026-11-20T00:00:00+07:00' }],
})
const item = (id: number) =>
  `<item><title>ซื้อเครื่องทดสอบ</title><link>https://e.example/${id}</link><description>${id}, คัดเลือก, ประกาศเชิญชวน</description><pubDate>2026-11-27</pubDate></item>`

export const SMALL_FILES: Readonly<Record<string, string>> = {
  'small.csv': [HEADER, ...[69119900101, 69119900102, 69119900103].map(row)].join('\n'),
  'small.jsonl': [69119900101, 69119900102].map((id) => JSON.stringify(release(id))).join('\n'),
  'small-package.json': JSON.stringify(
    { version: '1.1', releases: [release(69119900101), release(69119900102)] },
    null,
    1,
  ),
  'small-records.json': JSON.stringify({
    version: '1.1',
    records: [{ ocid: 'ocds-x-69119900101', releases: [release(69119900101)] }],
  }),
  'small.xml': `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel>${[69119900101, 69119900102].map(item).join('')}</channel></rss>`,
  'small-api.json': JSON.stringify({
    result: [
      {
        project_id: '69119900101',
        project_name: 'ซื้อ',
        dept_name: 'กรม',
        project_money: '1,000',
        contract: [{ winner: 'ร้าน', price_agree: 1 }],
      },
    ],
  }),
}
