import type { KeywordList } from '#contract/organisation.ts'

/** Watch lists of one sample organisation: groups of alternatives (D10); a word behind `?` waits for approval (D11). */
export type SampleWords = Readonly<Partial<Record<KeywordList, readonly (readonly string[])[]>>>

/** A house that sells cameras, computers and networks. Words are those of real titles (egp.md). */
export const TECHNOLOGY_WORDS: SampleWords = {
  include: [
    ['กล้องโทรทัศน์วงจรปิด', 'กล้องวงจรปิด', 'CCTV', 'เครื่องบันทึกภาพ'],
    ['เครื่องคอมพิวเตอร์', 'ครุภัณฑ์คอมพิวเตอร์', 'โน้ตบุ๊ก'],
    ['ระบบเครือข่าย', 'อุปกรณ์กระจายสัญญาณ', 'อุปกรณ์ป้องกันเครือข่าย', 'สายใยแก้วนำแสง'],
    ['เครื่องสำรองไฟฟ้า', 'เครื่องพิมพ์', 'สแกนเนอร์'],
    ['จอภาพอัจฉริยะ', 'ระบบประชุมทางไกล', 'เครื่องเสียงและภาพ', 'ป้ายประชาสัมพันธ์อิเล็กทรอนิกส์'],
    ['พัฒนาระบบ', 'ระบบสารสนเทศ', 'มั่นคงปลอดภัยไซเบอร์'],
    ['ป้ายทะเบียนรถยนต์อัตโนมัติ', 'ควบคุมการเข้าออกอาคาร', '?โดรน'],
  ],
  exclude: [['แท็บเล็ต'], ['บำรุงรักษา', 'เช่าเครื่องคอมพิวเตอร์'], ['ตลับหมึก', 'ผงหมึก']],
  deptsub_include: [['กองเทคโนโลยีสารสนเทศ'], ['สำนักดิจิทัลกรุงเทพมหานคร'], ['สำนักบริหารเทคโนโลยีสารสนเทศ']],
  // Brings the speakers and microphones that no word above finds.
  ai_include: [['เครื่องขยายเสียง']],
}

/** A contractor for roads and small buildings. */
export const CONSTRUCTION_WORDS: SampleWords = {
  include: [
    ['ก่อสร้างถนน', 'ถนนคอนกรีตเสริมเหล็ก', 'แอสฟัลต์', 'แอสฟัลท์', 'ผิวจราจร'],
    ['ท่อระบายน้ำ', 'รางระบายน้ำ'],
    ['ก่อสร้างอาคาร', 'ปรับปรุงอาคาร'],
  ],
  exclude: [['ควบคุมงาน'], ['ออกแบบ']],
  deptsub_include: [['แขวงทางหลวงนครราชสีมา'], ['แขวงทางหลวงสุพรรณบุรี']],
}

/** A supplier of medical equipment. */
export const MEDICAL_WORDS: SampleWords = {
  include: [
    ['เครื่องช่วยหายใจ', 'เครื่องติดตามสัญญาณชีพ', 'เครื่องกระตุกไฟฟ้าหัวใจ', 'AED'],
    ['เครื่องเอกซเรย์', 'คลื่นเสียงความถี่สูง', 'MRI'],
    ['เตียงผู้ป่วย', 'เตียงผ่าตัด', 'ครุภัณฑ์การแพทย์'],
  ],
  exclude: [['ทันตกรรม', 'เอกซเรย์ฟัน']],
  deptsub_include: [['สำนักงานสาธารณสุขจังหวัดนนทบุรี']],
}

/** A small shop that sells office supplies and cleaning. */
export const SUPPLY_WORDS: SampleWords = {
  include: [['วัสดุสำนักงาน', 'กระดาษ'], ['ทำความสะอาดอาคาร'], ['เครื่องปรับอากาศ']],
  exclude: [['Inverter']],
}

/** What the demo shows: a little of everything. */
export const DEMO_WORDS: SampleWords = {
  include: [['กล้องโทรทัศน์วงจรปิด', 'CCTV'], ['เครื่องคอมพิวเตอร์'], ['พลังงานแสงอาทิตย์'], ['ก่อสร้างอาคาร']],
  exclude: [['บำรุงรักษา']],
  deptsub_include: [['สำนักดิจิทัลกรุงเทพมหานคร']],
}
