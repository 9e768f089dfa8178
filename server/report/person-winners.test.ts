import { expect, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { addLoad, addOrganisation } from '../../test/world/report-world.ts'
import { putWonProjects, type WonProject } from '../../test/world/won-projects.ts'
import { loadReportRowsById } from './report-rows.ts'

const PERSON_TIN = 'p:abcdefghijklmnop'
const won = (id: string, name: string, tin: string | null): WonProject => ({
  ...{ id, year: 2570, name: 'ซื้อกล้องวงจรปิด', dept: 'กรมหนึ่ง', status: 'contract_created' },
  contracts: [{ name, tin, amount: 9_000_000 }],
})

onEachEngine('winners of report rows', (makeDb) => {
  test('a person known by the id, also with a shop, never leads to a company with the same name', async () => {
    const db = await makeDb()
    const organisation = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    const load = await addLoad(db)
    const winners: readonly WonProject[] = [
      won('1', 'สมมุติ ใจดี', PERSON_TIN),
      won('2', 'บริษัท สมมุติ ใจดี จำกัด', '0105500000001'),
      won('3', 'นายสมมุติ ใจดี', null),
      won('4', 'ร้านสมมุติ ก่อสร้าง', PERSON_TIN),
      won('5', 'สมมุติ ใจดี', '0105500000001'),
      {
        ...won('6', 'สมหญิง ใจงาม', null),
        bidders: [{ name: 'สมหญิง ใจงาม', tin: PERSON_TIN, price: 9_000_000, won: true }],
      },
      {
        ...won('8', 'บริษัท สมมุติ ใจดี จำกัด', '0105500000001'),
        winner: 'บริษัท สมมุติ ใจดี จำกัด',
        otherWinners: ['ร้านสมมุติ ก่อสร้าง', 'หจก. สมมุติ'],
        contracts: [
          { name: 'บริษัท สมมุติ ใจดี จำกัด', tin: '0105500000001', amount: 9_000_000 },
          { name: 'ร้านสมมุติ ก่อสร้าง', tin: PERSON_TIN, amount: 8_000_000 },
          { name: 'หจก. สมมุติ', tin: '0105500000022', amount: 7_000_000 },
          { name: 'สมหญิง ใจงาม', tin: 'p:bbbbbbbbbbbbbbbb', amount: 6_000_000 },
        ],
      },
      {
        ...won('7', 'บริษัท สมมุติ ใจดี จำกัด', null),
        bidders: [{ name: 'สมหญิง ใจงาม', tin: PERSON_TIN, price: 9_500_000 }],
      },
    ]
    await putWonProjects(db, load, winners)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    const rows = await loadReportRowsById(
      db,
      organisation,
      winners.map(({ id }) => id),
    )
    expect(winners.filter(({ id }) => rows.get(id)!.is_winner_company).map(({ id }) => id)).toEqual([
      '2',
      '5',
      '8',
      '7',
    ])
    expect(rows.get('8')!.other_winners_without_page).toEqual(['ร้านสมมุติ ก่อสร้าง'])
    expect(rows.get('7')!.other_winners_without_page).toBeUndefined()
  })
})
