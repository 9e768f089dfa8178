import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import type { RequirementKind, RequirementVerdict } from '#contract/documents/requirement.ts'
import { readDocument } from '#server/documents/read-document.ts'
import { findDocumentRequirements } from './find-document-requirements.ts'
import { judgeRequirement } from './judge-requirement.ts'

const TENDER = { title: 'ประกวดราคาซื้อระบบกล้องวงจรปิดพร้อมติดตั้ง', submission: '2026-12-02', today: '2026-11-23' }
const OURS: Qualifications = {
  ...EMPTY_QUALIFICATIONS,
  capital: 5_000_000,
  net_worth: 1_200_000,
  bond_line: 1_000_000,
  sme: 'small',
  classes: [
    { branch: 'งานก่อสร้างทาง', grade: 3 },
    { branch: 'งานก่อสร้างชลประทาน', grade: 1 },
  ],
  past_works: [
    { name: 'กล้อง 64 จุด', kinds: 'กล้องวงจรปิด, CCTV', agency: 'อบต.บ้านหมอ', baht: 6_200_000, year: 2567 },
    { name: 'ปรับปรุงอาคาร', kinds: 'อาคาร', agency: '', baht: 9_000_000, year: 2560 },
  ],
  certificates: [
    { name: 'ISO 9001:2015', number: 'TH-1', expires_on: '2027-06-30' },
    { name: 'ISO/IEC 27001', number: '', expires_on: '2026-12-01' },
    { name: 'มอก. 2677', number: '', expires_on: null },
    { name: 'ใบอนุญาตประกอบธุรกิจรักษาความปลอดภัย', number: '9', expires_on: '2026-12-20' },
  ],
  people: [
    { position: 'วิศวกรโยธา', count: 2, degree: 'bachelor', years: 5 },
    { position: 'วิศวกรโยธา', count: 1, degree: 'master', years: 12 },
    { position: 'ช่าง', count: 9, degree: 'vocational', years: 0 },
  ],
}

const judge = (kind: RequirementKind, clause: string, changes: Partial<Qualifications> = {}, tender = {}) =>
  judgeRequirement({ kind, fullText: clause }, { ...OURS, ...changes }, { ...TENDER, ...tender })

const FIVE = 'ไม่น้อยกว่า ๕,๐๐๐,๐๐๐ บาท (ห้าล้านบาทถ้วน)'
const TEN = 'ไม่น้อยกว่า ๑๐,๐๐๐,๐๐๐.๐๐ บาท (สิบล้านบาทถ้วน)'
const EIGHT = 'ไม่น้อยกว่า ๘,๐๐๐,๐๐๐ บาท (แปดล้านบาทถ้วน)'
const BOND = '๖๒๑,๕๙๕ บาท (หกแสนสองหมื่นหนึ่งพันห้าร้อยเก้าสิบห้าบาทถ้วน)'
const SAME = 'ต้องมีผลงานประเภทเดียวกันกับงานที่ประกวดราคา ในวงเงิน'

const CASES: readonly (readonly [RequirementKind, string, RequirementVerdict, ...string[]])[] = [
  ['past_work', `${SAME}${FIVE} ต่อหนึ่งสัญญา ภายใน ๕ ปี`, 'yes', '5,000,000', 'อบต.บ้านหมอ 6.2 ล้าน', 'ปี 2567', 'กล้องวงจรปิด'],
  ['past_work', `${SAME}${FIVE} เป็นคู่สัญญาโดยตรงกับหน่วยงานของรัฐ`, 'yes', 'ตรวจเงื่อนไขคู่สัญญาโดยตรง'],
  ['past_work', `ต้องมีผลงานติดตั้งกล้องวงจรปิด วงเงิน${FIVE}`, 'yes', 'กล้องวงจรปิด'],
  // The clause names another kind of work than the title, so the title decides nothing.
  ['past_work', `ต้องมีผลงานก่อสร้างถนนคอนกรีต วงเงิน${FIVE}`, 'ask', 'ประเภท'],
  ['past_work', `${SAME}${TEN}`, 'no', '10,000,000', '9 ล้าน'],
  ['past_work', `${SAME}${EIGHT} ภายใน ๕ ปี`, 'no', 'เก่าเกิน', 'ปี 2560'],
  ['past_work', `${SAME}${FIVE} จำนวนไม่น้อยกว่า ๓ ผลงาน`, 'no', 'จำนวน 3 งาน'],
  ['past_work', `${SAME}${FIVE} ภายใน ๒ ปี`, 'ask', 'ตรงขอบ'],
  ['past_work', `${SAME}${FIVE} ประสบการณ์ไม่น้อยกว่า ๓ ปี`, 'ask', 'ช่วงปี'],
  ['past_work', `${SAME}${FIVE} รวมกันทุกสัญญา`, 'ask', 'รวมกัน'],
  ['past_work', `${SAME}ไม่น้อยกว่า ๕,๐๐๐,๐๐๐ บาท`, 'ask', 'ไม่แน่ใจ'],
  ['past_work', `${SAME}ไม่น้อยกว่า ๕,๐๐๐,๐๐๐ บาท (หกล้านบาทถ้วน)`, 'ask', 'ไม่แน่ใจ'],
  ['past_work', 'ต้องมีผลงานไม่น้อยกว่าร้อยละ ๕๐ ของวงเงินงบประมาณ', 'ask', 'อ่านวงเงิน'],
  ['certificate', 'ผู้ยื่นข้อเสนอต้องได้รับมาตรฐาน ISO 9001 และแนบสำเนา', 'yes', 'TH-1', '30 มิ.ย. 2570', 'วันยื่น 2 ธ.ค. 2569'],
  ['certificate', 'ต้องได้รับ ISO/IEC 27001', 'no', 'หมดอายุ 1 ธ.ค. 2569 ก่อนวันยื่น 2 ธ.ค. 2569'],
  ['certificate', 'ต้องได้รับ ISO 9001 และ ISO 14001', 'no', 'ไม่มี ISO 14001'],
  ['certificate', 'ต้องได้รับ ISO 14001 หรือเทียบเท่า', 'ask', 'ทางเลือก'],
  ['certificate', 'ต้องได้รับ มอก. 2677', 'ask', 'ยังไม่ได้กรอกวันหมดอายุ'],
  ['certificate', 'ผลิตภัณฑ์ต้องได้รับมาตรฐาน ISO 9001', 'ask', 'ผู้ผลิตหรือสินค้า'],
  ['certificate', 'ต้องมีหนังสือรับรองมาตรฐานการให้บริการ', 'ask', 'ไม่รู้ว่า'],
  ['licence', 'ต้องมีใบอนุญาตประกอบธุรกิจรักษาความปลอดภัยที่ยังไม่หมดอายุ', 'yes', 'หลังวันยื่นเพียง 18 วัน'],
  ['licence', 'ต้องได้รับการแต่งตั้งให้เป็นตัวแทนจำหน่าย', 'ask', 'หนังสือแต่งตั้ง'],
  ['licence', 'ต้องมีใบอนุญาตขายยา', 'ask', 'ไม่พบใบอนุญาต'],
  ['class', 'ขึ้นทะเบียนผู้ประกอบการ สาขางานก่อสร้างทาง ไม่น้อยกว่าชั้น ๔', 'yes', 'ชั้น 4', 'ชั้น 3'],
  ['class', 'ขึ้นทะเบียนผู้ประกอบการ สาขางานก่อสร้างทาง ไม่น้อยกว่าชั้น ๒', 'no', 'ชั้น 2', 'ชั้น 3'],
  ['class', 'ขึ้นทะเบียนผู้ประกอบการ สาขางานก่อสร้างทาง ชั้นพิเศษ', 'no', 'ชั้นพิเศษ'],
  ['class', 'ขึ้นทะเบียนผู้ประกอบการ สาขางานก่อสร้างสะพาน ชั้น ๕', 'ask', 'ไม่ตรง'],
  ['class', 'ขึ้นทะเบียนผู้ประกอบการไว้กับกรมบัญชีกลาง', 'ask', 'อ่านชั้น'],
  ['capital', 'ต้องมีทุนจดทะเบียนไม่ต่ำกว่า ๒,๐๐๐,๐๐๐ บาท (สองล้านบาทถ้วน)', 'yes', '2,000,000', '5,000,000'],
  ['capital', 'ต้องมีทุนจดทะเบียนไม่ต่ำกว่า ๘,๐๐๐,๐๐๐ บาท (แปดล้านบาทถ้วน)', 'no', '8,000,000'],
  ['capital', 'ต้องมีทุนจดทะเบียนไม่ต่ำกว่า ๒ ล้านบาท', 'ask', 'อ่านทุน'],
  ['capital', 'ต้องมีมูลค่าสุทธิของกิจการ ซึ่งจะต้องแสดงค่าเป็นบวก ๑ ปีสุดท้าย', 'yes', '1,200,000'],
  ['sme', 'หากเป็นผู้ประกอบการ SMEs จะได้แต้มต่อ', 'yes', 'ขนาดย่อม'],
  ['sme', 'หากเป็นผู้ประกอบการ SMEs ที่ขึ้นทะเบียนไว้ จะได้แต้มต่อ', 'ask', 'SME-GP'],
  ['bond', `ต้องวางหลักประกันการเสนอราคา จำนวน ${BOND}`, 'yes', '621,595 บาท', '1,000,000 บาท'],
  ['bond', `ต้องวางหลักประกันการเสนอราคา ${FIVE}`, 'ask', '5,000,000 บาท', 'ไม่พอ'],
  ['bond', `ต้องวางหลักประกันเป็นเงินสด ${BOND}`, 'ask', 'ไม่ได้กล่าวถึงหนังสือค้ำประกัน'],
  ['bond', `ต้องวางหลักประกัน เงินสด เช็ค หรือหนังสือค้ำประกัน ${BOND}`, 'yes'],
  ['bond', 'ต้องวางหลักประกันการเสนอราคา จำนวน ๖๒๑,๕๙๕ บาท', 'ask', 'อ่านจำนวนเงิน'],
  ['bond', `ต้องวางหลักประกัน ${BOND} หรือ ๓๐๐,๐๐๐ บาท`, 'ask', 'อ่านจำนวนเงิน'],
  ['bond', 'จะต้องวางหลักประกันสัญญาเท่ากับร้อยละ ๕ ของราคาค่าจ้าง', 'ask', 'ร้อยละ 5', 'ไม่เกิน 20,000,000 บาท'],
  ['bond', 'ต้องวางหลักประกันสัญญา', 'ask', 'อ่านจำนวนเงิน'],
  ['people', 'ต้องมีวิศวกรโยธา จำนวนไม่น้อยกว่า ๓ คน', 'yes', 'วิศวกรโยธา 3 คน', '2 คน ปริญญาตรี'],
  ['people', 'ต้องมีวิศวกรโยธา ไม่น้อยกว่า ๒ (สอง) คน วุฒิปริญญาตรี มีประสบการณ์ไม่น้อยกว่า ๕ ปี', 'yes', 'ประสบการณ์ 5 ปี'],
  ['people', 'ต้องมีวิศวกรโยธา ๒ คน ประสบการณ์ไม่น้อยกว่า ๑๐ ปี', 'no', 'มี 1 คน'],
  ['people', 'ต้องมีวิศวกรโยธา ๒ คน ปริญญาโท', 'no', 'ปริญญาโท'],
  ['people', 'ต้องมีวิศวกรโยธา จำนวน ๑๐ คน', 'no', 'มี 3 คน'],
  ['people', 'ต้องมีวิศวกรไม่น้อยกว่า ๒ คน', 'ask', 'ไม่ตรง'],
  ['people', 'ต้องมีช่างไฟฟ้า จำนวน ๒ คน', 'ask', 'ไม่ตรง'],
  ['people', 'ต้องมีผู้ช่วยวิศวกรโยธา จำนวน ๒ คน', 'ask', 'ไม่ตรง'],
  ['people', 'ต้องมีสถาปนิกและวิศวกรโยธา จำนวน ๒ คน', 'ask', 'ไม่ตรง'],
  ['people', 'ต้องมีวิศวกรโยธา ๑ คน และสถาปนิก ๑ คน', 'ask', 'แน่ชัด'],
  ['people', 'ต้องมีวิศวกรโยธา ๑ คน ระดับสามัญวิศวกร', 'ask', 'ใบอนุญาต'],
  ['people', 'ต้องมีวิศวกรโยธา ๑ คน ซึ่งมีใบประกอบวิชาชีพ', 'ask', 'ใบอนุญาต'],
  ['people', 'ต้องมีวิศวกรโยธา ๑ คน วุฒิวิศวกรรมศาสตรบัณฑิต', 'ask', 'วุฒิ'],
  ['people', 'ต้องมีวิศวกรโยธา ๑ คน ปริญญาตรีหรือ ปวส.', 'ask', 'วุฒิ'],
  ['people', 'ต้องมีวิศวกรโยธา ๑ คน มีประสบการณ์ในงานถนน', 'ask', 'ประสบการณ์'],
  ['people', 'บุคลากรต้องแต่งกายสุภาพ', 'ask', 'จำนวนคน'],
  ['documents', 'สำเนาหนังสือรับรองการจดทะเบียนนิติบุคคล', 'ask', 'เตรียม'],
]

describe('judgeRequirement', () => {
  test.each(CASES.map(([kind, clause, can, ...words]) => ({ kind, clause, can, words })))(
    '$kind: $clause → $can',
    ({ kind, clause, can, words }) => {
      const answer = judge(kind, clause)
      expect([answer.can, answer.reason]).toEqual([can, answer.reason])
      for (const word of words) expect(answer.reason).toContain(word)
    },
  )

  test('returns ask with the missing qualification, never yes or no, when none is filled in', () => {
    for (const [kind, clause] of CASES)
      expect(judgeRequirement({ kind, fullText: clause }, EMPTY_QUALIFICATIONS, TENDER).can).toBe('ask')
    const missing = (kind: RequirementKind, clause: string) =>
      judgeRequirement({ kind, fullText: clause }, EMPTY_QUALIFICATIONS, TENDER).missing
    expect(missing('past_work', CASES[0]![1])).toBe('past_works')
    expect(missing('certificate', 'ISO 9001')).toBe('certificates')
    expect(missing('class', 'ชั้น 4')).toBe('classes')
    expect(missing('bond', CASES.find(([kind]) => kind === 'bond')![1])).toBe('bond_line')
    expect(missing('people', 'วิศวกรโยธา ๒ คน')).toBe('people')
    expect(missing('sme', 'ผู้ประกอบการ SMEs')).toBe('sme')
    expect(missing('capital', 'ทุนจดทะเบียนไม่ต่ำกว่า 2,000,000 บาท')).toBe('capital')
    expect(missing('capital', 'มูลค่าสุทธิของกิจการเป็นบวก')).toBe('net_worth')
  })

  test('checks a certificate against the submission day, or against today while that is unknown', () => {
    expect(judge('certificate', 'ISO 27001', {}, { submission: '2026-12-01' }).can).toBe('yes')
    expect(judge('certificate', 'ISO 27001', {}, { submission: null })).toMatchObject({ can: 'ask' })
    expect(judge('certificate', 'ISO 27001', {}, { submission: null, today: '2026-12-02' }).can).toBe('no')
    const renewed = [...OURS.certificates, { name: 'ISO 27001:2022', number: 'new', expires_on: '2028-01-01' }]
    expect(judge('certificate', 'ISO 27001', { certificates: renewed })).toMatchObject({ can: 'yes' })
  })

  test('does not match past work by a word that nearly every title contains', () => {
    const works = [{ ...OURS.past_works[0]!, kinds: 'ซื้อ, ติดตั้ง' }]
    expect(judge('past_work', `${SAME}${FIVE}`, { past_works: works })).toMatchObject({
      can: 'ask',
      missing: 'past_works',
    })
  })

  test('rejects larger firms where only SMEs may bid, and returns ask elsewhere', () => {
    expect(judge('sme', 'ผู้ยื่นข้อเสนอต้องเป็นผู้ประกอบการ SMEs', { sme: 'none' }).can).toBe('no')
    expect(judge('sme', 'ผู้ประกอบการ SMEs ได้แต้มต่อ', { sme: 'none' }).can).toBe('ask')
    expect(judge('capital', 'มูลค่าสุทธิของกิจการเป็นบวก', { net_worth: -5 }).can).toBe('ask')
  })
})

const FOLDER = path.join(import.meta.dirname, '../../../../shared/documents/pdf')
const isThere = existsSync(FOLDER)
if (!isThere) console.warn(`SKIPPED: no real documents in ${FOLDER}`)

describe.skipIf(!isThere)('sentences of real documents', () => {
  const requirementsOf = async (file: string) => {
    const pages = (await readDocument(path.join(FOLDER, file))).pages.map(({ text }) => text)
    return findDocumentRequirements(pages, async () => undefined)
  }
  const answersOf = (requirements: Awaited<ReturnType<typeof requirementsOf>>, qualifications: Qualifications) =>
    Object.fromEntries(
      requirements.map(({ kind, fullText, number }) => [
        `${kind} ${number}`,
        judgeRequirement({ kind, fullText }, qualifications, TENDER),
      ]),
    )

  test('a TOR: answers each clause, never with yes when the qualifications are empty', {
    timeout: 60_000,
  }, async () => {
    const requirements = await requirementsOf('real/tor-nsm-vr-exhibition-30p.pdf')
    for (const { can } of Object.values(answersOf(requirements, EMPTY_QUALIFICATIONS))) expect(can).toBe('ask')
    const verdicts = answersOf(requirements, OURS)
    expect(Object.entries(verdicts).map(([clause, { can }]) => [clause, can])).toEqual([
      ['certificate 4.10', 'no'],
      ['licence 4.11', 'ask'],
      ['people 4.12', 'ask'],
      ['past_work 4.15', 'ask'],
      ['capital 4.16', 'yes'],
    ])
    expect(verdicts['certificate 4.10']!.reason).toContain('ไม่มี ISO 29110')
    const vr = { name: 'พิพิธภัณฑ์ VR', kinds: 'เสมือนจริง', agency: '', baht: 1_500_000, year: 2560 }
    const until = (day: string) => ['ISO 27001', 'ISO/IEC 29110'].map((name) => ({ name, number: '', expires_on: day }))
    // The clause requires validity for three months after the submission on 2 December.
    const good = answersOf(requirements, { ...OURS, past_works: [vr], certificates: until('2027-03-02') })
    expect([good['certificate 4.10']!.can, good['past_work 4.15']!.can]).toEqual(['yes', 'yes'])
    expect(good['past_work 4.15']!.reason).toContain('1,500,000 บาท; ผลงานของเรา: พิพิธภัณฑ์ VR 1.5 ล้าน บาท ปี 2560')
    const short = answersOf(requirements, { ...OURS, certificates: until('2027-03-01') })
    expect(short['certificate 4.10']).toMatchObject({ can: 'no', reason: expect.stringContaining('ไม่ถึง 3 เดือน') })
    const small = answersOf(requirements, { ...OURS, past_works: [{ ...vr, baht: 1_499_999 }] })
    expect(small['past_work 4.15']!.can).toBe('no')
  })

  test('a bidding document: takes each amount from its own clause', { timeout: 60_000 }, async () => {
    const requirements = await requirementsOf('constructed/c05.pdf')
    const verdicts = answersOf(requirements, OURS)
    expect(verdicts['past_work 2']!.can).toBe('ask')
    expect(verdicts['bond 5']).toMatchObject({ can: 'ask', reason: expect.stringContaining('1,190,250 บาท') })
    expect(verdicts['bond 7']).toMatchObject({ can: 'ask', reason: expect.stringContaining('ร้อยละ 5') })
    const rich = answersOf(requirements, { ...OURS, bond_line: 1_190_250 })
    expect([rich['bond 5']!.can, answersOf(requirements, { ...OURS, bond_line: 1_190_249 })['bond 5']!.can]).toEqual([
      'yes',
      'ask',
    ])
    const camera = { ...OURS.past_works[0]!, baht: 7_142_000 }
    expect(answersOf(requirements, { ...OURS, past_works: [camera] })['past_work 2']).toMatchObject({
      can: 'yes',
      reason: expect.stringContaining('ต้องมีผลงานไม่น้อยกว่า 7,142,000 บาท'),
    })
    expect(answersOf(requirements, { ...OURS, past_works: [{ ...camera, baht: 7_141_999 }] })['past_work 2']!.can).toBe(
      'no',
    )
  })
})
