import { describe, expect, test } from 'vitest'
import type { DocumentFact, DocumentFactName, FactValue } from '#contract/documents/document.ts'
import { hasSharedDocuments, measureMismatch } from '../../../bench/figures/mismatch.ts'
import { findDocumentMismatch, type ProjectIdentity } from './find-document-mismatch.ts'

const fact = (name: DocumentFactName, value: FactValue): DocumentFact => ({
  fact: name,
  state: 'clear',
  value,
  sentence: `ประโยคของ ${name}`,
  page: 1,
  offset: 0,
})
const agency = (text: string) => fact('agency', { kind: 'text', text })
const title = (text: string) => fact('title', { kind: 'text', text })
const price = (baht: number) => fact('reference_price', { kind: 'amount', baht })
const PROJECT: ProjectIdentity = {
  title: 'ประกวดราคาซื้อกล้องโทรทัศน์วงจรปิดพร้อมติดตั้ง ภายในเขตเทศบาล ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
  agencies: ['เทศบาลเมืองบางปู', 'กองช่าง'],
  amounts: [4_000_000],
}
const OURS = [agency('เทศบาลเมืองบางปู'), title('ประกวดราคาซื้อกล้องโทรทัศน์วงจรปิดพร้อมติดตั้ง ภายในเขตเทศบาล')]
const doubts = (facts: readonly DocumentFact[], project: Partial<ProjectIdentity> = {}) =>
  findDocumentMismatch(facts, { ...PROJECT, ...project })?.reasons.map((reason) => reason.fact) ?? null

describe('a document', () => {
  test('accepts the documents of the project, whatever facts were read', () => {
    for (const facts of [[], OURS, [...OURS, price(3_950_000)], [price(4_000_000)], [agency('เทศบาลเมืองบางปู')]])
      expect(doubts(facts)).toBeNull()
  })

  test('doubts another agency and 25 times the price, and returns both reasons with the ratio', () => {
    const reasons = findDocumentMismatch([agency('กรมทางหลวง'), price(100_000_000)], PROJECT)!.reasons
    expect(reasons).toMatchObject([
      { fact: 'agency', sentence: 'ประโยคของ agency', page: 1, project: 'เทศบาลเมืองบางปู · กองช่าง' },
      { fact: 'price', project: '4,000,000.00 บาท', ratio: 25 },
    ])
    expect(doubts([OURS[1]!, agency('กรมทางหลวง'), price(100_000_000)])).toEqual(['agency', 'price'])
  })

  test.each([
    ['another title alone', [title('จ้างก่อสร้างถนนคอนกรีตเสริมเหล็กสายบ้านโคกสูง')], ['title']],
    ['another title of the same agency', [OURS[0]!, title('จ้างก่อสร้างถนนคอนกรีตเสริมเหล็กสายบ้านโคกสูง')], ['title']],
    ['a body of the same kind', [agency('เทศบาลเมืองบางบัวทอง')], ['agency']],
    ['a body of another kind', [agency('กรมทางหลวง')], ['agency']],
    ['25 times the price alone', [price(100_000_000)], ['price']],
    ['a 25th of the price', [price(160_000)], ['price']],
  ])('doubts %s', (_what, facts, reasons) => {
    expect(doubts(facts)).toEqual(reasons)
  })

  test.each<[string, DocumentFact[], Partial<ProjectIdentity>]>([
    ['a unit of the agency', [agency('โรงพยาบาลเชียงคำ')], { agencies: ['สำนักงานปลัดกระทรวงสาธารณสุข', ''] }],
    ['a local body under its department', [agency('เทศบาลตำบลป่าแดด')], { agencies: ['กรมส่งเสริมการปกครองท้องถิ่น'] }],
    [
      'the unit that the project names second',
      [agency('แขวงทางหลวงตาก')],
      { agencies: ['กรมทางหลวง', 'แขวงทางหลวงตาก'] },
    ],
    ['the agency with its unit behind it', [agency('กรมชลประทาน สำนักงานชลประทานที่ 7')], { agencies: ['กรมชลประทาน'] }],
    ['a price with tax', [price(4_280_000)], {}],
    ['half the price', [price(2_000_000)], {}],
    ['Thai digits and lost tones', [title('ซื้อกลองโทรทัศน์วงจรปิดพรอมติดตัง ภายในเขตเทศบาล')], {}],
    ['an unknown price', [price(100_000_000)], { amounts: [] }],
  ])('accepts %s', (_what, facts, project) => {
    expect(doubts(facts, project)).toBeNull()
  })

  test('ignores unsure facts', () => {
    expect(doubts([{ ...price(100_000_000), state: 'unsure' }])).toBeNull()
  })
})

if (!hasSharedDocuments)
  console.warn('SKIPPED: ../shared/documents is not there, no document is compared with projects')

test.skipIf(!hasSharedDocuments)(
  'doubts no document in ../shared against its own project, and over 95 % against other projects',
  async () => {
    const { papers, own: ownMismatches, crossed } = await measureMismatch()
    expect(papers).toBeGreaterThan(30)
    expect(ownMismatches).toEqual([])
    expect(crossed.filter(({ isDoubted }) => isDoubted).length / crossed.length).toBeGreaterThan(0.95)
  },
  120_000,
)
