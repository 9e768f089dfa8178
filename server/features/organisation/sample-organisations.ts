import { DEMO_ORGANISATION_CODE } from '#contract/organisation.ts'
import { REGIONS, type Region } from '#contract/province.ts'
import {
  CONSTRUCTION_WORDS,
  DEMO_WORDS,
  MEDICAL_WORDS,
  type SampleWords,
  SUPPLY_WORDS,
  TECHNOLOGY_WORDS,
} from './sample-words.ts'

/** One password for all, printed at start: these accounts exist only where SEED=sample. It keeps the rule of registration. */
export const SAMPLE_PASSWORD = 'Tamngan#2569'

export type SampleUser = {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: 'super_user' | 'member_user'
}
export type SampleOrganisation = {
  readonly code: string
  readonly name: string
  readonly package: string
  /** What the account shows that the others do not, in one line for the list of accounts. */
  readonly shows: string
  readonly regions: readonly Region[]
  readonly filterRegions?: readonly Region[]
  readonly words: SampleWords
  readonly searchByAi?: boolean
  readonly minBudget: number
  /** Baht; 0 means none (D8). */
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

/** Invented companies and people; the `.example` domain belongs to nobody. */
export const SAMPLE_ORGANISATIONS: readonly SampleOrganisation[] = [
  {
    code: 'tharamek',
    name: 'บริษัท ธาราเมฆ เน็ตเวิร์ก จำกัด',
    package: 'แพ็กเกจมืออาชีพ',
    shows: 'กล้อง คอมพิวเตอร์ และเครือข่าย เปิดครบทุกส่วน',
    regions: EVERYWHERE,
    words: TECHNOLOGY_WORDS,
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
    shows: 'งานถนนและอาคาร ภาคกลางกับภาคตะวันออกเฉียงเหนือ',
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
    shows: 'เครื่องมือแพทย์ อยู่ในช่วงทดลองใช้',
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
    shows: 'ใช้ได้เฉพาะงบประมาณรายปีและตั้งค่า',
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
    shows: 'วัสดุสำนักงาน ภาคตะวันออก ไม่มีส่วนเสริม',
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
    shows: 'เข้าได้โดยไม่ต้องมีบัญชี',
    regions: EVERYWHERE,
    words: DEMO_WORDS,
    minBudget: 0,
    maxBudget: 0,
    flags: ALL_FLAGS,
    users: [{ email: 'demo@demo.example', firstName: 'ผู้ใช้', lastName: 'สาธิต', role: 'member_user' }],
  },
]

/** The accounts to print at start and in the README. The demo is not among them: it is entered at `/login?refkey=demo`. */
export const SAMPLE_ACCOUNTS = SAMPLE_ORGANISATIONS.filter(({ code }) => code !== DEMO_ORGANISATION_CODE).flatMap(
  ({ name, shows, users }) => users.map(({ email, role }) => ({ email, organisation: name, role, shows })),
)
