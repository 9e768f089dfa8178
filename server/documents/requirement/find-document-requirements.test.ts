import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readDocument } from '#server/documents/read-document.ts'
import { findDocumentRequirements } from './find-document-requirements.ts'

const noPause = async () => undefined
const PAGES = [
  `เอกสารประกวดราคา
๑. ความเป็นมา
งานนี้มีผลงานวิจัยไม่น้อยกว่า ๓ ชิ้นรองรับ
๒. คุณสมบัติของผู้ยื่นข้อเสนอ
๒.๑ ไม่เป็นบุคคลล้มละลาย
๒.๒ ผู้ยื่นข้อเสนอต้องมีผลงานประเภทเดียวกันในวงเงินไม่น้อยกว่า ๕๐๐,๐๐๐ บาท
๒.๓ ผู้ยื่นข้อเสนอต้องได้รับมาตรฐาน ISO 9001
และแนบสำเนา
๒.๔ ผู้ยื่นข้อเสนอต้องมีมูลค่าสุทธิของกิจการเป็นบวก ดังนี้`,
  `๒.๔.๑ ต้องมีทุนจดทะเบียนไม่ต่ำกว่า ๒ ล้านบาท
๓. คุณลักษณะเฉพาะ
๓.๑ เครื่องต้องผ่านมาตรฐาน ISO 14001 และมีใบรับรอง
๔. หลักฐานการยื่นข้อเสนอ
๔.๑ สำเนาหนังสือรับรองการจดทะเบียนนิติบุคคล
๕. หลักประกันการเสนอราคา
๕.๑ ผู้ยื่นข้อเสนอต้องวางหลักประกันการเสนอราคาพร้อมกับการเสนอราคา`,
]

test('lists clauses about bidders with number, page and lines, but not clauses about the goods', async () => {
  const requirements = await findDocumentRequirements(PAGES, noPause)
  expect(requirements.map(({ kind, number, page }) => [kind, number, page])).toEqual([
    ['past_work', '2.2', 1],
    ['certificate', '2.3', 1],
    ['capital', '2.4', 1],
    ['documents', '4.1', 2],
    ['bond', '5.1', 2],
  ])
  for (const { page, sentence } of requirements) expect(PAGES[page - 1]).toContain(sentence)
  expect(requirements[1]!.text).toBe('ผู้ยื่นข้อเสนอต้องได้รับมาตรฐาน ISO 9001 และแนบสำเนา')
})

test('finds none in an empty document or one without numbers', async () => {
  expect(await findDocumentRequirements([], noPause)).toEqual([])
  expect(await findDocumentRequirements(['ประกาศประกวดราคา\nราคากลาง 500 บาท'], noPause)).toEqual([])
})

const REAL = path.join(import.meta.dirname, '../../../../shared/documents/pdf/real/tor-nsm-vr-exhibition-30p.pdf')

test.skipIf(!existsSync(REAL))(
  'finds the five requirements of the real document on their pages',
  { timeout: 60_000 },
  async () => {
    const pages = (await readDocument(REAL)).pages.map(({ text }) => text)
    expect(
      (await findDocumentRequirements(pages, noPause)).map(({ kind, number, page }) => [kind, number, page]),
    ).toEqual([
      ['certificate', '4.10', 2],
      ['licence', '4.11', 3],
      ['people', '4.12', 3],
      ['past_work', '4.15', 4],
      ['capital', '4.16', 4],
    ])
  },
)
