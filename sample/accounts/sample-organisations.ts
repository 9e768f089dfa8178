import type { KeywordListCode } from '#contract/account/organisation.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { REGIONS, type Region } from '#contract/thai/province.ts'

/**
 * Watch lists of one organisation, as groups of alternatives (D10); a word prefixed with `?` is pending approval (D11).
 */
type SampleWords = Readonly<Partial<Record<KeywordListCode, readonly (readonly string[])[]>>>

/** A reseller of cameras, computers and networks. Words are taken from real titles (docs/data.md). */
export const SAMPLE_TECHNOLOGY_KEYWORDS: SampleWords = {
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
  // This word finds the speakers and microphones that none of the words above match.
  ai_include: [['เครื่องขยายเสียง']],
}

const CONSTRUCTION_WORDS: SampleWords = {
  include: [
    ['ก่อสร้างถนน', 'ถนนคอนกรีตเสริมเหล็ก', 'แอสฟัลต์', 'แอสฟัลท์', 'ผิวจราจร'],
    ['ท่อระบายน้ำ', 'รางระบายน้ำ'],
    ['ก่อสร้างอาคาร', 'ปรับปรุงอาคาร'],
  ],
  exclude: [['ควบคุมงาน'], ['ออกแบบ']],
  deptsub_include: [['แขวงทางหลวงนครราชสีมา'], ['แขวงทางหลวงสุพรรณบุรี']],
}

const MEDICAL_WORDS: SampleWords = {
  include: [
    ['เครื่องช่วยหายใจ', 'เครื่องติดตามสัญญาณชีพ', 'เครื่องกระตุกไฟฟ้าหัวใจ', 'AED'],
    ['เครื่องเอกซเรย์', 'คลื่นเสียงความถี่สูง', 'MRI'],
    ['เตียงผู้ป่วย', 'เตียงผ่าตัด', 'ครุภัณฑ์การแพทย์'],
  ],
  exclude: [['ทันตกรรม', 'เอกซเรย์ฟัน']],
  deptsub_include: [['สำนักงานสาธารณสุขจังหวัดนนทบุรี']],
}

const SUPPLY_WORDS: SampleWords = {
  include: [['วัสดุสำนักงาน', 'กระดาษ'], ['ทำความสะอาดอาคาร'], ['เครื่องปรับอากาศ']],
  exclude: [['Inverter']],
}

const DEMO_WORDS: SampleWords = {
  include: [['กล้องโทรทัศน์วงจรปิด', 'CCTV'], ['เครื่องคอมพิวเตอร์'], ['พลังงานแสงอาทิตย์'], ['ก่อสร้างอาคาร']],
  exclude: [['บำรุงรักษา']],
  deptsub_include: [['สำนักดิจิทัลกรุงเทพมหานคร']],
}

/**
 * Password of all demo accounts. It may be printed at start, because the accounts exist only where SEED=sample.
 * Satisfies the registration rules.
 */
export const SAMPLE_PASSWORD = 'Tamngan#2569'

type SampleUser = {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: 'super_user' | 'member_user'
}
export type SampleOrganisation = {
  readonly code: string
  readonly name: string
  readonly package: string
  readonly description: string
  readonly regions: readonly Region[]
  readonly filterRegions?: readonly Region[]
  readonly words: SampleWords
  readonly searchByAi?: boolean
  readonly minBudget: number
  /** Maximum budget in baht; 0 means no maximum (D8). */
  readonly maxBudget: number
  readonly flags: {
    readonly budgetYear: boolean
    readonly budgetYearOnly: boolean
    readonly companyCompare: boolean
    readonly companyComparison: boolean
  }
  readonly users: readonly SampleUser[]
}

const EVERYWHERE = REGIONS.map((region) => region.code)
const ALL_FLAGS = { budgetYear: true, budgetYearOnly: false, companyCompare: true, companyComparison: true }
const NO_FLAGS = { budgetYear: false, budgetYearOnly: false, companyCompare: false, companyComparison: false }

/** The password is public, so email addresses use the reserved `.example` domain, which no real person can own. */
export const SAMPLE_ORGANISATIONS: readonly SampleOrganisation[] = [
  {
    code: 'tharamek',
    name: 'บริษัท ธาราเมฆ เน็ตเวิร์ก จำกัด',
    package: 'แพ็กเกจมืออาชีพ',
    description: 'กล้อง คอมพิวเตอร์ และเครือข่าย เปิดครบทุกส่วน',
    regions: EVERYWHERE,
    words: SAMPLE_TECHNOLOGY_KEYWORDS,
    searchByAi: true,
    minBudget: 100_000,
    maxBudget: 500_000_000,
    flags: ALL_FLAGS,
    users: [
      { email: 'manager@tharamek.example', firstName: 'ปวีณา', lastName: 'ธารเมฆา', role: 'super_user' },
      { email: 'sales@tharamek.example', firstName: 'กฤตภาส', lastName: 'วงศ์สายหมอก', role: 'member_user' },
    ],
  },
  {
    code: 'noensai',
    name: 'บริษัท เนินทรายการโยธา จำกัด',
    package: 'แพ็กเกจมาตรฐาน',
    description: 'งานถนนและอาคาร ภาคกลางกับภาคตะวันออกเฉียงเหนือ',
    regions: ['central', 'northeast'],
    filterRegions: ['northeast'],
    words: CONSTRUCTION_WORDS,
    minBudget: 500_000,
    maxBudget: 0,
    flags: { ...NO_FLAGS, companyCompare: true },
    users: [
      { email: 'manager@noensai.example', firstName: 'อนุชา', lastName: 'เนินทรายทอง', role: 'super_user' },
      { email: 'bid@noensai.example', firstName: 'มยุรี', lastName: 'ศรีกรวด', role: 'member_user' },
    ],
  },
  {
    code: 'wetchapim',
    name: 'บริษัท เวชพิมานการแพทย์ จำกัด',
    package: 'ทดลองใช้งานไม่จำกัด',
    description: 'เครื่องมือแพทย์ อยู่ในช่วงทดลองใช้',
    regions: EVERYWHERE,
    words: MEDICAL_WORDS,
    minBudget: 0,
    maxBudget: 0,
    flags: ALL_FLAGS,
    users: [{ email: 'trial@wetchapim.example', firstName: 'ศศิธร', lastName: 'พิมานเวช', role: 'super_user' }],
  },
  {
    code: 'fahkhram',
    name: 'บริษัท ฟ้าครามวิจัยงบประมาณ จำกัด',
    package: 'แพ็กเกจงบประมาณรายปี',
    description: 'ใช้ได้เฉพาะงบประมาณรายปีและตั้งค่า',
    regions: EVERYWHERE,
    words: {},
    minBudget: 0,
    maxBudget: 0,
    flags: { ...NO_FLAGS, budgetYear: true, budgetYearOnly: true },
    users: [{ email: 'research@fahkhram.example', firstName: 'ธนกร', lastName: 'ฟ้าคราม', role: 'member_user' }],
  },
  {
    code: 'raanruamchai',
    name: 'ห้างหุ้นส่วนจำกัด ร่วมชัยเครื่องเขียนบูรพา',
    package: 'แพ็กเกจเริ่มต้น',
    description: 'วัสดุสำนักงาน ภาคตะวันออก ไม่มีส่วนเสริม',
    regions: ['east', 'central'],
    words: SUPPLY_WORDS,
    minBudget: 0,
    maxBudget: 20_000_000,
    flags: NO_FLAGS,
    users: [{ email: 'shop@ruamchai.example', firstName: 'วันเพ็ญ', lastName: 'ร่วมใจชัย', role: 'member_user' }],
  },
  {
    code: DEMO_ORGANISATION_CODE,
    name: 'องค์กรสาธิต ตามงาน',
    package: 'สาธิต',
    description: 'เข้าได้โดยไม่ต้องมีบัญชี',
    regions: EVERYWHERE,
    words: DEMO_WORDS,
    minBudget: 0,
    maxBudget: 0,
    flags: ALL_FLAGS,
    users: [{ email: 'demo@demo.example', firstName: 'ผู้ใช้', lastName: 'สาธิต', role: 'member_user' }],
  },
]

/** Accounts to print at start and in the README, except the demo, which is entered at `/login?refkey=demo`. */
export const SAMPLE_ACCOUNTS = SAMPLE_ORGANISATIONS.filter(({ code }) => code !== DEMO_ORGANISATION_CODE).flatMap(
  ({ name, description, users }) =>
    users.map(({ email, role }) => ({ email, organisation: name, role, shows: description })),
)
