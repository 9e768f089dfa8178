import type { ProcurementMethod, ProcurementMethodType } from '#contract/catalogue/project.ts'
import { BUYER_KINDS, type BuyerKind, SAMPLE_BUYER_SPENDING_STATS } from './buyer-kinds.ts'
import { dayNumberToFiscalYear, dayNumberToIsoDate } from './day-numbers.ts'
import { generatePlaceName } from './place-names.ts'
import type { SampleDepartment, SampleDepartments } from './sample-departments.ts'
import { SAMPLE_PROVINCES, type SampleProvince } from './sample-provinces.ts'
import { createWeightedPicker, type SeededRandom } from './seeded-random.ts'
import { type SampleTitleContext, toThaiDigits } from './title-words.ts'
import { BUILDING_PROJECT_TEMPLATES } from './trade/building-project-templates.ts'
import { MEDICAL_PROJECT_TEMPLATES } from './trade/medical-project-templates.ts'
import { ROAD_PROJECT_TEMPLATES } from './trade/road-project-templates.ts'
import { SERVICE_PROJECT_TEMPLATES } from './trade/service-project-templates.ts'
import { SUPPLY_PROJECT_TEMPLATES } from './trade/supply-project-templates.ts'
import { SYSTEM_PROJECT_TEMPLATES } from './trade/system-project-templates.ts'
import { TECHNOLOGY_PROJECT_TEMPLATES } from './trade/technology-project-templates.ts'
import {
  buildGoodsTemplates,
  type GeneratedProjectDraft,
  type ProjectTemplate,
  type SampleWorkKind,
} from './trade/templates.ts'
import { VEHICLE_PROJECT_TEMPLATES } from './trade/vehicle-project-templates.ts'
import { WATER_PROJECT_TEMPLATES } from './trade/water-project-templates.ts'

const CONSULTING: readonly ProjectTemplate[] = [
  ...buildGoodsTemplates({
    trade: 'consulting',
    type: 'consult',
    for: 'ministry:13 laboratory:4 town:0.5 pao:0.7 bangkok:1.5 municipality:0.2 university:2 faculty:0.6 public_works:3 irrigation:1.5 water:4 tourism:4 airport:4 utility:2.5 rural_road:1 highway:1 office:1',
    days: [120, 540],
    rows: `
ศึกษาความเหมาะสมและออกแบบเบื้องต้นระบบป้องกันน้ำท่วมพื้นที่ชุมชน|งาน|3M-28M|1||
จัดทำแผนแม่บทการพัฒนาเมืองอัจฉริยะ|งาน|1.5M-14M|1||
ศึกษาและประเมินผลกระทบสิ่งแวดล้อม (EIA)|งาน|2M-24M|1||
ติดตามและประเมินผลการดำเนินงานตามแผนปฏิบัติราชการ|งาน|500k-4M|1||bare
สำรวจความพึงพอใจของผู้รับบริการ|งาน|120k-900k|1||bare
จัดทำสถาปัตยกรรมองค์กรและแผนปฏิบัติการดิจิทัล|งาน|900k-9M|1||
วิจัยและพัฒนาเพื่อเพิ่มมูลค่าสินค้าเกษตรและอาหารพื้นถิ่น|งาน|700k-6M|1||
ให้คำปรึกษาการขอรับรองมาตรฐานความมั่นคงปลอดภัยสารสนเทศ ISO/IEC 27001|งาน|600k-4M|1||bare
จัดทำผังเมืองรวมและผังพื้นที่เฉพาะ|ผัง|1.2M-6M|1-3||
ศึกษาแนวทางการใช้พลังงานทดแทนและลดก๊าซเรือนกระจก|งาน|900k-9M|1||`,
  }),
  ...buildGoodsTemplates({
    trade: 'consulting',
    type: 'design',
    for: 'tambon:0.35 municipality:0.35 town:0.6 pao:0.6 university:2.5 hospital:0.6 public_works:1 ministry:0.8 irrigation:1.2 airport:3 bangkok:0.8',
    days: [60, 240],
    rows: `
อาคารสำนักงานและภูมิทัศน์โดยรอบ|งาน|180k-9M|1||bare
อาคารเรียนรวมและหอประชุม|งาน|450k-8M|1||bare
สะพานและโครงข่ายถนนเชื่อมต่อชุมชน|งาน|150k-12M|1||bare
สวนสาธารณะและพื้นที่นันทนาการริมน้ำ|งาน|300k-6M|1||bare
ระบบระบายน้ำและสถานีสูบน้ำ|งาน|300k-16M|1||bare`,
  }),
  ...buildGoodsTemplates({
    trade: 'consulting',
    type: 'supervise',
    for: 'tambon:0.2 municipality:0.25 town:0.6 pao:0.5 university:2 hospital:0.5 public_works:0.8 ministry:0.5 bangkok:0.8 airport:2',
    days: [180, 720],
    rows: `
ก่อสร้างอาคารสำนักงานหลังใหม่|งาน|300k-12M|1||bare
ก่อสร้างเขื่อนป้องกันตลิ่งและระบบระบายน้ำ|งาน|300k-18M|1||bare
ก่อสร้างอาคารผู้ป่วยและระบบประกอบอาคาร|งาน|500k-14M|1||bare
ก่อสร้างถนนและสะพานเชื่อมต่อโครงข่าย|งาน|300k-16M|1||bare`,
  }),
  ...buildGoodsTemplates({
    trade: 'consulting',
    type: 'design_supervise',
    for: 'tambon:0.1 municipality:0.12 town:0.3 university:1 hospital:0.2 public_works:0.4 bangkok:0.4',
    days: [240, 720],
    rows: `
ก่อสร้างอาคารอเนกประสงค์และลานกิจกรรมชุมชน|งาน|300k-8M|1||bare
ก่อสร้างอาคารจอดรถและระบบสัญจรภายใน|งาน|500k-10M|1||bare
ปรับปรุงอาคารเดิมให้รองรับแผ่นดินไหวและอารยสถาปัตย์|งาน|400k-7M|1||bare`,
  }),
]

export type ProjectPlan = {
  readonly department: SampleDepartment
  readonly province: SampleProvince
  readonly district: string
  readonly subdistrict: string
  readonly title: string
  readonly secondTitle: string
  /** Budget in baht. */
  readonly budget: number
  readonly method: ProcurementMethod
  readonly type: ProcurementMethodType
  readonly trade: SampleWorkKind
  /** Days from signature to delivery. */
  readonly days: number
  readonly fiscalYear: number
}

const TEMPLATES: readonly ProjectTemplate[] = [
  ...ROAD_PROJECT_TEMPLATES,
  ...BUILDING_PROJECT_TEMPLATES,
  ...WATER_PROJECT_TEMPLATES,
  ...TECHNOLOGY_PROJECT_TEMPLATES,
  ...MEDICAL_PROJECT_TEMPLATES,
  ...VEHICLE_PROJECT_TEMPLATES,
  ...SYSTEM_PROJECT_TEMPLATES,
  ...SUPPLY_PROJECT_TEMPLATES,
  ...SERVICE_PROJECT_TEMPLATES,
  ...CONSULTING,
]

const pickKind = createWeightedPicker(BUYER_KINDS, (kind) => SAMPLE_BUYER_SPENDING_STATS[kind].share)
const pickTemplate = new Map<BuyerKind, (random: SeededRandom) => ProjectTemplate>(
  BUYER_KINDS.map((kind) => {
    const able = TEMPLATES.filter((template) => template.buyers[kind] !== undefined)
    return [kind, createWeightedPicker(able, (template) => template.buyers[kind]!)]
  }),
)
const OTHER_PROVINCES = SAMPLE_PROVINCES.filter((province) => province.code !== 10)

/** Generates one project created on `day`. The same random sequence gives the same project. */
export function generateProjectPlan(random: SeededRandom, departments: SampleDepartments, day: number): ProjectPlan {
  const kind = pickKind(random)
  const department = departments.ofKind.get(kind)!(random)
  const template = templateFor(random, department)
  const site = projectSite(random, department, template.trade)
  const fiscalYear = fundingYear(random, day)
  const target = random.logNormal(SAMPLE_BUYER_SPENDING_STATS[kind].median, SAMPLE_BUYER_SPENDING_STATS[kind].sigma)
  const context: SampleTitleContext = { random, department, ...site, fiscalYear, target }
  const idea = template.compose(context)
  const method = chooseMethod(random, idea, department)
  const body = random.chance(0.44) ? toThaiDigits(idea.body) : idea.body
  const repeatSuffix = body === idea.body ? ' (ครั้งที่ 2)' : ' (ครั้งที่ ๒)'
  return {
    department,
    ...site,
    title: titleOf(body, idea.type, method),
    secondTitle: titleOf(body + repeatSuffix, idea.type, method),
    budget: idea.budget,
    method,
    type: idea.type,
    trade: idea.trade,
    days: idea.days,
    fiscalYear,
  }
}

function templateFor(random: SeededRandom, department: SampleDepartment): ProjectTemplate {
  const pick = pickTemplate.get(department.kind)!
  for (;;) {
    const template = pick(random)
    if (template.only === undefined || template.only.test(department.name)) return template
  }
}

/** Trades whose work is done on site; purchases of other trades are delivered to the buyer. */
const FIELD_TRADES: ReadonlySet<SampleWorkKind> = new Set(['roads', 'buildings', 'water', 'consulting'])
const LOCAL_KINDS: ReadonlySet<BuyerKind> = new Set([
  'tambon',
  'municipality',
  'town',
  'hospital',
  'school',
  'college',
  'university',
  'faculty',
  'medical_school',
  'it_office',
])

function projectSite(random: SeededRandom, department: SampleDepartment, trade: SampleWorkKind) {
  const { kind, province, district, subdistrict } = department
  const home = { province, district, subdistrict }
  if (!FIELD_TRADES.has(trade) || LOCAL_KINDS.has(kind)) return home
  if (department.isCentral) {
    if (random.chance(0.35)) return home
    const elsewhere = random.pick(OTHER_PROVINCES)
    return {
      province: elsewhere,
      district: random.pick(elsewhere.districts),
      subdistrict: generatePlaceName(random, elsewhere),
    }
  }
  const isDistrictOffice =
    department.subName.startsWith('สำนักงานเขต') || department.subName.startsWith('ที่ทำการปกครองอำเภอ')
  if (random.chance(0.35)) return home
  return {
    province,
    district: isDistrictOffice ? district : random.pick(province.districts),
    subdistrict: generatePlaceName(random, province),
  }
}

/** From June on, a growing share is paid from the coming year's budget. */
function fundingYear(random: SeededRandom, day: number): number {
  const month = Number(dayNumberToIsoDate(day).slice(5, 7))
  const share = month === 9 ? 0.7 : month === 8 ? 0.45 : month === 7 ? 0.2 : month === 6 ? 0.08 : 0
  return dayNumberToFiscalYear(day) + (random.chance(share) ? 1 : 0)
}

/** Thresholds of the regulation (B.E. 2560, clauses 30–32): up to 500,000 baht directly, above by competition. */
const MAX_DIRECT_BAHT = 500_000
const MAX_PRICE_ENQUIRY_BAHT = 5_000_000

function chooseMethod(
  random: SeededRandom,
  idea: GeneratedProjectDraft,
  department: SampleDepartment,
): ProcurementMethod {
  const { budget, type } = idea
  const isSmall = budget <= MAX_DIRECT_BAHT
  const roll = random.next()
  if (type === 'consult')
    return isSmall || roll < 0.2 ? 'consultant_specific' : roll < 0.62 ? 'consultant_selective' : 'consultant_open'
  if (type === 'design' || type === 'supervise' || type === 'design_supervise') {
    if (type === 'design' && budget > 2_000_000 && roll < 0.1) return 'design_contest'
    return isSmall || roll < 0.3 ? 'design_specific' : roll < 0.62 ? 'design_selective' : 'design_open'
  }
  if (isSmall) return roll < 0.93 ? 'specific' : 'e_bidding'
  if (idea.isCatalogued && budget <= MAX_PRICE_ENQUIRY_BAHT && roll < 0.4) return 'e_market'
  if (department.kind === 'tambon' && budget <= MAX_PRICE_ENQUIRY_BAHT && roll > 0.985) return 'price_enquiry'
  if (roll > 0.982) return 'specific'
  return roll > (budget > 20_000_000 ? 0.95 : 0.86) ? 'selective' : 'e_bidding'
}

const VERBS: Readonly<Record<ProcurementMethodType, string>> = {
  buy: 'ซื้อ',
  construct: 'จ้างก่อสร้าง',
  service: 'จ้าง',
  lease: 'เช่า',
  consult: 'จ้างที่ปรึกษา',
  design: 'จ้างออกแบบ',
  supervise: 'จ้างควบคุมงาน',
  design_supervise: 'จ้างออกแบบและควบคุมงาน',
}

const METHOD_SUFFIXES: Readonly<Record<ProcurementMethod, string>> = {
  e_bidding: 'ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
  e_market: 'ด้วยวิธีตลาดอิเล็กทรอนิกส์ (e-market)',
  selective: 'โดยวิธีคัดเลือก',
  specific: 'โดยวิธีเฉพาะเจาะจง',
  price_enquiry: 'โดยวิธีสอบราคา',
  consultant_open: 'โดยวิธีประกาศเชิญชวนทั่วไป',
  consultant_selective: 'โดยวิธีคัดเลือก',
  consultant_specific: 'โดยวิธีเฉพาะเจาะจง',
  design_open: 'โดยวิธีประกาศเชิญชวนทั่วไป',
  design_selective: 'โดยวิธีคัดเลือก',
  design_specific: 'โดยวิธีเฉพาะเจาะจง',
  design_contest: 'โดยวิธีประกวดแบบ',
}

/** Returns the title as e-GP prints it: method and verb before the description, method after it. */
function titleOf(body: string, type: ProcurementMethodType, method: ProcurementMethod): string {
  const isTender = method === 'e_bidding'
  // Titles of methods other than e-bidding start with "จ้าง" alone, and before "ก่อสร้าง" the verb is "จ้าง", so that
  // the word is not repeated.
  const verb = type === 'construct' && (!isTender || body.startsWith('ก่อสร้าง')) ? 'จ้าง' : VERBS[type]
  const prefix = isTender ? 'ประกวดราคา' : method === 'price_enquiry' ? 'สอบราคา' : ''
  return `${prefix}${verb}${body} ${METHOD_SUFFIXES[method]}`
}
