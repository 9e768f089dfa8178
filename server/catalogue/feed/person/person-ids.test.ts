import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createListFeedSource,
  createTestFeedRecord,
  writeTemporaryTestFile,
} from '#server/catalogue/feed/feed-for-tests.ts'
import { publishDataLoad } from '#server/catalogue/feed/load.ts'
import { readDataLoadChunks } from '#server/catalogue/feed/load-queries.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { stageDataLoad } from '#server/catalogue/feed/stage-load.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../../test/server/databases.ts'
import { emptyTables } from '../../../../test/server/empty-tables.ts'
import { loadStoredTexts, toPlainDigits } from '../../../../test/stored-texts.ts'
import { initialisePersonKeySecret } from './initialise-person-key-secret.ts'
import { toPersonKey } from './person-key.ts'

const TODAY = '2026-06-15'
const VISIBLE = '330960000'
/** A valid check digit, required to recognise an id in a title. */
const VALID = '3960100154251'
const SPELLINGS = [
  ...['3309600001234', '3-3096-00001-23-4', '3 3096 00001 23 4', '๓๓๐๙๖๐๐๐๐๑๒๓๔', '330960000xxxx', '330960000XXXX'],
  ...[
    '330960000****',
    '3-3096-0000x-xx-x',
    "'3309600001234",
    '3309600001234.0',
    '330960000123',
    'xxxxxxxxxxxxx',
    '3.30960E+12',
  ],
]
const idOf = (at: number) => `691199${String(at).padStart(5, '0')}`
const NAMES = ['ร้านทดสอบ โดยนางสาวทดสอบ ตัวอย่าง', 'ทดสอบ ตัวอย่าง', 'จ.ส.อ.ทดสอบ ตัวอย่าง']
const nameAt = (at: number) => NAMES[at % NAMES.length]!

const HEADER =
  'project_id,project_name,dept_name,announce_date,project_money,sum_price_agree,province,winner_tin,winner,contract_no,contract_date'
const csv = () =>
  [
    HEADER,
    ...SPELLINGS.map(
      (id, at) => `${idOf(at)},ซื้อของ ${at},กรมทดสอบ,2026-05-01,100,100,เชียงใหม่,${id},${nameAt(at)},${at},2026-06-01`,
    ),
    `${idOf(90)},จ้างขุด บัตรประชาชนเลขที่ ${VALID},กรมทดสอบ,2026-05-01,100,100,เชียงใหม่,,,,`,
    ...SPELLINGS.map((id) => `691,ซื้อของ,กรมทดสอบ,${id},100,100,เชียงใหม่,${id},ก,1,2026-06-01`),
    `691,ซื้อของ,กรมทดสอบ,2026-05-01,100,100,เชียงใหม่,${SPELLINGS[1]},ก,1,2026-06-01`,
  ].join('\n')

const cgdJson = () =>
  JSON.stringify({
    result: SPELLINGS.map((id, at) => ({
      project_id: idOf(100 + at),
      project_name: `ซื้อของ ${at}`,
      dept_name: 'กรมทดสอบ',
      contract: [
        { winner_tin: id, winner: nameAt(at), contract_no: `${at}`, contract_date: '2026-06-01', price_agree: '100' },
      ],
    })),
  })

const ocds = () =>
  JSON.stringify({
    version: '1.1',
    releases: SPELLINGS.map((id, at) => ({
      ocid: `ocds-test-${idOf(200 + at)}`,
      buyer: { name: 'กรมทดสอบ' },
      tender: { id: idOf(200 + at), title: `ซื้อของ ${at} เลขบัตร${VALID}` },
      parties: [
        { id: 'a', name: nameAt(at), roles: ['tenderer', 'supplier'], identifier: { scheme: 'TH-TIN', id } },
        { id: `TH-TIN-${id}`, name: `${nameAt(at + 1)} (${id})`, roles: ['tenderer'] },
      ],
      awards: [{ id: '1', status: 'active', suppliers: [{ id: 'a', name: nameAt(at) }], value: { amount: 100 } }],
      contracts: [{ id: `${at}`, awardID: '1', value: { amount: 100 } }],
    })),
  })

const rss = () =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel>${[`ซื้อของ เลขบัตร ${VALID}`, 'ซื้อของ 330960000xxxx']
    .map(
      (title, at) =>
        `<item><title>${title}</title><link>https://example.test/${at}</link><description>${idOf(300 + at)}, เฉพาะเจาะจง, ประกาศเชิญชวน</description><pubDate>2026-06-01</pubDate></item>`,
    )
    .join(
      '',
    )}<item><title>ซื้อของ ${SPELLINGS[1]}</title><description>1, x, x</description><pubDate>${SPELLINGS[0]}</pubDate></item></channel></rss>`

onEachEngine('ids of natural persons', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(() =>
    emptyTables(db, 'loads', 'departments', 'projects', 'companies', 'person_ids', 'organisations', 'documents'),
  )

  let serial = 0
  async function take(source: Parameters<typeof stageDataLoad>[1], publishes = true) {
    const staged = await stageDataLoad(db, source, { origin: 'test', fingerprint: `test:${++serial}` })
    if (publishes) await db.transaction((tx) => publishDataLoad(tx, staged.loadId, { today: TODAY }))
    return staged
  }
  const leaks = async () =>
    (await loadStoredTexts(db)).filter(
      (text) =>
        [VISIBLE, VALID, '3.30960E', 'นางสาวทดสอบ'].some((piece) => toPlainDigits(text).includes(piece)) ||
        /tin":"(?!p:|[0D]\d{12}")/.test(text),
    )

  test.each([
    ['a table', 'people.csv', csv],
    ['an answer of CGD', 'people.json', cgdJson],
    ['an OCDS package', 'ocds.json', ocds],
    ['the feed', 'feed.xml', rss],
  ])('from %s never reach the database, staged or published', async (_, name, content) => {
    const opened = await openFeedFile(writeTemporaryTestFile(name, content()))
    const staged = await take(opened.source, false)
    expect(await leaks()).toEqual([])
    await db.transaction((tx) => publishDataLoad(tx, staged.loadId, { today: TODAY }))
    await updateCompanyFacts(db)
    expect(staged.staged).toBeGreaterThan(0)
    expect(await leaks()).toEqual([])
  })

  test('become a key that is equal for every spelling of an id', async () => {
    await take((await openFeedFile(writeTemporaryTestFile('people.csv', csv()))).source)
    const rows = await db.query<{ no: string; tin: string | null; name: string }>(
      sql`select contract_no as no, winner_tin as tin, winner_name as name from contracts order by contract_no::int`,
    )
    const full = toPersonKey('3309600001234')
    const masked = toPersonKey('330960000xxxx')
    expect(full).not.toBe(masked)
    const cut = toPersonKey('330960000123')
    expect(rows.map(({ tin }) => tin)).toEqual([
      ...[full, full, full, full, masked, masked],
      ...[masked, masked, full, full, cut, 'p:', 'p:'],
    ])
    expect(rows[0]!.name).toBe('ร้านทดสอบ')
  })

  describe('stored by the previous version', () => {
    async function plant() {
      const { loadId } = await take(
        createListFeedSource([
          createTestFeedRecord({
            projectId: idOf(1),
            contracts: SPELLINGS.map((_, at) => ({ contractNo: `${at}`, winnerName: 'ก' })),
            bidders: SPELLINGS.map(() => ({ name: 'ก', isWinner: false })),
            attachments: [{ url: 'https://example.test/a', name: 'ประกาศ', step: 'invited' }],
          }),
        ]),
      )
      await db.execute(sql`
        update contracts c set winner_tin = s.id, winner_name = s.name from unnest(${SPELLINGS.map((_, at) => `${at}`)}::text[],
          ${SPELLINGS}::text[], ${SPELLINGS.map((_, at) => nameAt(at))}::text[]) as s (no, id, name) where c.contract_no = s.no`)
      await db.execute(sql`
        update bidders b set tin = s.id, name = ${NAMES[0]!} from unnest(${SPELLINGS.map((_, at) => at + 1)}::int[], ${SPELLINGS}::text[]) as s (at, id)
        where b.position = s.at`)
      await db.execute(sql`
        update projects set name = ${`ขุดสระ บัตร ${VALID}`}, name_search = ${`ขุดสระบัตร${VALID}`}, name_spaced = ${`ขุดสระ บัตร ${VALID}`},
          remark = ${SPELLINGS[1]!}, winner_name = ${NAMES[0]!}`)
      await db.execute(sql`update attachments set name = ${`ประกาศ ${VALID}`}`)
      await db.execute(sql`insert into contracts (project_id, contract_no) values (${idOf(1)}, ${VALID})`)
      await db.execute(sql`
        insert into project_changes (project_id, load_id, field, old_value, new_value)
        values (${idOf(1)}, ${loadId}, 'name', null, ${`ขุดสระ ${VALID}`}), (${idOf(1)}, ${loadId}, 'winner_name', ${NAMES[0]!}, 'ก')`)
      await db.execute(sql`
        insert into quarantined_rows (load_id, line, reason, raw) values (${loadId}, 9, ${`อ่าน "${SPELLINGS[0]}" ไม่ได้`}, ${`a,${SPELLINGS.join(',')},b`})`)
      await db.execute(sql`
        with o as (
          insert into organisations (code, name, package, customer_config, areas_with_provinces)
          values (${`people ${loadId}`}, 'ทดสอบ', 'company', '{}', '{}') returning id),
        d as (
          insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, facts)
          select ${`d${loadId}`}, o.id, ${idOf(1)}, 'h', 'pdf', 'ประกาศ.pdf', 1, now(), ${JSON.stringify([{ fact: 'title', sentence: `ขุด ${VALID}`, baht: 1_200_000 }])}::jsonb
          from o returning id, organisation_id)
        insert into document_pages (document_id, organisation_id, page, text, folded, trigrams)
        select id, organisation_id, 1, ${`บัตร ๓-๙๖๐๑-๐๐๑๕๔-๒๕-๑ ${VALID}`}, ${`บัตร${VALID}${VALID}`}, '{}' from d`)
      const staging = await take(createListFeedSource([createTestFeedRecord({ projectId: idOf(2) })]), false)
      const records = [
        createTestFeedRecord({
          projectId: idOf(2),
          contracts: [{ contractNo: '1', winnerTin: SPELLINGS[0]!, winnerName: NAMES[0]! }],
        }),
      ]
      await db.execute(sql`update staged_chunks set records = ${JSON.stringify(records)}::text::json`)
      return staging.loadId
    }
    const secret = randomBytes(32).toString('hex')

    test('are hidden at the next start, and a second start changes nothing', async () => {
      const staging = await plant()
      expect((await leaks()).length).toBeGreaterThan(10)
      await initialisePersonKeySecret(db, [secret])
      expect(await leaks()).toEqual([])
      expect(await readDataLoadChunks(db, staging, 0, 1)).toMatchObject([
        { contracts: [{ winnerTin: toPersonKey('3309600001234'), winnerName: 'ร้านทดสอบ' }] },
      ])
      const stored = await loadStoredTexts(db)
      await initialisePersonKeySecret(db, [secret])
      expect((await loadStoredTexts(db)).filter((text) => !text.startsWith('person_ids'))).toEqual(
        stored.filter((text) => !text.startsWith('person_ids')),
      )
    })

    test('keep their keys when the secret changes, and get new ones when it is lost', async () => {
      await initialisePersonKeySecret(db, [secret])
      const key = toPersonKey('3309600001234')
      const next = randomBytes(32).toString('hex')
      await initialisePersonKeySecret(db, [next, secret])
      expect(toPersonKey('3309600001234')).toBe(key)
      await initialisePersonKeySecret(db, [next])
      expect(toPersonKey('3309600001234')).toBe(key)
      await initialisePersonKeySecret(db, [randomBytes(32).toString('hex')])
      expect(toPersonKey('3309600001234')).not.toBe(key)
    })
  })
})
