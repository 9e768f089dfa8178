import type { ProjectMethod, ProjectMethodType } from '#contract/project.ts'
import { BUYER_KINDS, BUYING, type BuyerKind } from './buyers.ts'
import type { SampleDepartment, SampleDepartments } from './departments.ts'
import { SAMPLE_PROVINCES, type SampleProvince } from './districts.ts'
import { placeName } from './place-names.ts'
import { type Random, weightedPicker } from './seeded-random.ts'
import type { ProjectIdea, Template, Trade } from './templates.ts'
import { type TitleContext, withThaiDigits } from './title-words.ts'
import { BUILDINGS } from './trade-buildings.ts'
import { CONSULTING } from './trade-consulting.ts'
import { MEDICAL } from './trade-medical.ts'
import { ROADS } from './trade-roads.ts'
import { SERVICES } from './trade-services.ts'
import { SUPPLIES } from './trade-supplies.ts'
import { SYSTEMS } from './trade-systems.ts'
import { TECHNOLOGY } from './trade-technology.ts'
import { VEHICLES } from './trade-vehicles.ts'
import { WATER } from './trade-water.ts'
import { fiscalYearOf, isoOf } from './working-days.ts'

/** What a project is, before anything happens to it. */
export type ProjectPlan = {
  readonly department: SampleDepartment
  readonly province: SampleProvince
  readonly district: string
  readonly subdistrict: string
  readonly title: string
  /** Title of the tender that follows when this one fails. */
  readonly secondTitle: string
  /** Baht. */
  readonly budget: number
  readonly method: ProjectMethod
  readonly type: ProjectMethodType
  readonly trade: Trade
  /** Days from signature to delivery. */
  readonly days: number
  readonly fiscalYear: number
}

const TEMPLATES: readonly Template[] = [
  ...ROADS,
  ...BUILDINGS,
  ...WATER,
  ...TECHNOLOGY,
  ...MEDICAL,
  ...VEHICLES,
  ...SYSTEMS,
  ...SUPPLIES,
  ...SERVICES,
  ...CONSULTING,
]

const pickKind = weightedPicker(BUYER_KINDS, (kind) => BUYING[kind].share)
const pickTemplate = new Map<BuyerKind, (random: Random) => Template>(
  BUYER_KINDS.map((kind) => {
    const able = TEMPLATES.filter((template) => template.buyers[kind] !== undefined)
    return [kind, weightedPicker(able, (template) => template.buyers[kind]!)]
  }),
)
const OTHER_PROVINCES = SAMPLE_PROVINCES.filter((province) => province.code !== 10)

/** Thinks up one project of the day `day`. The same random sequence gives the same project. */
export function planProject(random: Random, departments: SampleDepartments, day: number): ProjectPlan {
  const kind = pickKind(random)
  const department = departments.ofKind.get(kind)!(random)
  const template = templateFor(random, department)
  const site = projectSite(random, department, template.trade)
  const fiscalYear = payingYear(random, day)
  const target = random.logNormal(BUYING[kind].median, BUYING[kind].sigma)
  const context: TitleContext = { random, department, ...site, fiscalYear, target }
  const idea = template.compose(context)
  const method = chooseMethod(random, idea, department)
  const body = random.chance(0.44) ? withThaiDigits(idea.body) : idea.body
  const again = body === idea.body ? ' (ครั้งที่ 2)' : ' (ครั้งที่ ๒)'
  return {
    department,
    ...site,
    title: titleOf(body, idea.type, method),
    secondTitle: titleOf(body + again, idea.type, method),
    budget: idea.budget,
    method,
    type: idea.type,
    trade: idea.trade,
    days: idea.days,
    fiscalYear,
  }
}

function templateFor(random: Random, department: SampleDepartment): Template {
  const pick = pickTemplate.get(department.kind)!
  for (;;) {
    const template = pick(random)
    if (template.only === undefined || template.only.test(department.name)) return template
  }
}

/** Trades whose work happens out in the field; what others buy arrives where the buyer sits. */
const FIELD_TRADES: ReadonlySet<Trade> = new Set(['roads', 'buildings', 'water', 'consulting'])
/** Bodies that act only where they stand. */
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

function projectSite(random: Random, department: SampleDepartment, trade: Trade) {
  const { kind, province, district, subdistrict } = department
  const home = { province, district, subdistrict }
  if (!FIELD_TRADES.has(trade) || LOCAL_KINDS.has(kind)) return home
  if (department.isCentral) {
    if (random.chance(0.35)) return home
    const elsewhere = random.pick(OTHER_PROVINCES)
    return {
      province: elsewhere,
      district: random.pick(elsewhere.districts),
      subdistrict: placeName(random, elsewhere),
    }
  }
  const isDistrictOffice =
    department.subName.startsWith('สำนักงานเขต') || department.subName.startsWith('ที่ทำการปกครองอำเภอ')
  if (random.chance(0.35)) return home
  return {
    province,
    district: isDistrictOffice ? district : random.pick(province.districts),
    subdistrict: placeName(random, province),
  }
}

/** From June on more and more of what is announced is paid from the coming year's budget. */
function payingYear(random: Random, day: number): number {
  const month = Number(isoOf(day).slice(5, 7))
  const share = month === 9 ? 0.7 : month === 8 ? 0.45 : month === 7 ? 0.2 : month === 6 ? 0.08 : 0
  return fiscalYearOf(day) + (random.chance(share) ? 1 : 0)
}

/** Thresholds of the regulation (B.E. 2560, clauses 30–32): up to 500,000 baht directly, above by competition. */
const DIRECT_LIMIT = 500_000
const PRICE_ENQUIRY_LIMIT = 5_000_000

function chooseMethod(random: Random, idea: ProjectIdea, department: SampleDepartment): ProjectMethod {
  const { budget, type } = idea
  const isSmall = budget <= DIRECT_LIMIT
  const roll = random.next()
  if (type === 'consult')
    return isSmall || roll < 0.2 ? 'consultant_specific' : roll < 0.62 ? 'consultant_selective' : 'consultant_open'
  if (type === 'design' || type === 'supervise' || type === 'design_supervise') {
    if (type === 'design' && budget > 2_000_000 && roll < 0.1) return 'design_contest'
    return isSmall || roll < 0.3 ? 'design_specific' : roll < 0.62 ? 'design_selective' : 'design_open'
  }
  if (isSmall) return roll < 0.93 ? 'specific' : 'e_bidding'
  if (idea.isCatalogued && budget <= PRICE_ENQUIRY_LIMIT && roll < 0.4) return 'e_market'
  if (department.kind === 'tambon' && budget <= PRICE_ENQUIRY_LIMIT && roll > 0.985) return 'price_enquiry'
  if (roll > 0.982) return 'specific'
  return roll > (budget > 20_000_000 ? 0.95 : 0.86) ? 'selective' : 'e_bidding'
}

const VERBS: Readonly<Record<ProjectMethodType, string>> = {
  buy: 'ซื้อ',
  construct: 'จ้างก่อสร้าง',
  service: 'จ้าง',
  lease: 'เช่า',
  consult: 'จ้างที่ปรึกษา',
  design: 'จ้างออกแบบ',
  supervise: 'จ้างควบคุมงาน',
  design_supervise: 'จ้างออกแบบและควบคุมงาน',
}

const ENDINGS: Readonly<Record<ProjectMethod, string>> = {
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

/** The title as e-GP prints it: method and verb before, method after. */
function titleOf(body: string, type: ProjectMethodType, method: ProjectMethod): string {
  const isTender = method === 'e_bidding'
  // "จ้าง" alone is how the shorter methods begin, and "จ้างก่อสร้าง" swallows a second "ก่อสร้าง".
  const verb = type === 'construct' && (!isTender || body.startsWith('ก่อสร้าง')) ? 'จ้าง' : VERBS[type]
  const begin = isTender ? 'ประกวดราคา' : method === 'price_enquiry' ? 'สอบราคา' : ''
  return `${begin}${verb}${body} ${ENDINGS[method]}`
}
