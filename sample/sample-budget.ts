import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import type { BudgetRecord } from '#server/catalogue/feed/sources/budget-csv.ts'
import { getFiscalYearStartDay, isWorkingDayNumber } from './day-numbers.ts'
import { generateProjectPlan, type ProjectPlan } from './project-plan.ts'
import {
  findSampleMinistry,
  SAMPLE_BUDGET_POSITIONS,
  SAMPLE_EXPENSE_CATEGORIES,
  SAMPLE_YEARLY_EXPENSES,
  type SampleBudgetPosition,
} from './sample-budget-positions.ts'
import { generateProjectPlans, type SampleCatalogue } from './sample-projects.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'
import { formatSampleTitleNumber, roundToSignificantDigits } from './title-words.ts'

/** Share of state-paid projects whose item is listed by name. */
const LISTED_SHARE = 0.2
const ITEMS_WITHOUT_TENDER = 700
/** Half of the works from this amount on are paid over several years. */
const MULTI_YEAR_THRESHOLD = 20_000_000

/**
 * Returns the invented budget of one fiscal year, about 3,000 items of the demo's departments; depends only on seed and
 * year. Half of the items are projects announced during the year at about their budgets, so that linking has something
 * to match.
 */
export function generateSampleBudget(world: SampleCatalogue, fiscalYear: number): BudgetRecord[] {
  const drafts = [
    ...tenderedItems(world, fiscalYear, fiscalYear),
    ...tenderedItems(world, fiscalYear - 1, fiscalYear),
    ...itemsWithoutTender(world, fiscalYear),
  ]
  const units = new Set(drafts.map(({ unit }) => unit))
  const items = [...drafts, ...[...units].flatMap((unit) => yearlyItems(world, unit, fiscalYear))]
  return assignSourceIds(items, fiscalYear)
}

type Draft = Omit<BudgetRecord, 'sourceId' | 'document' | 'page' | 'fiscalYear'>

function tenderedItems(world: SampleCatalogue, startYear: number, fiscalYear: number): Draft[] {
  const drafts: Draft[] = []
  let index = 0
  for (const plan of generateProjectPlans(
    world,
    getFiscalYearStartDay(startYear),
    getFiscalYearStartDay(startYear + 1) - 1,
  )) {
    index += 1
    if (plan.fiscalYear !== startYear) continue
    const random = createSeededRandom(world.seed, 'budget', startYear, index)
    if (!random.chance(LISTED_SHARE)) continue
    const draft = draftOf(random, plan, startYear, fiscalYear)
    if (draft) drafts.push(draft)
  }
  return drafts
}

function itemsWithoutTender(world: SampleCatalogue, fiscalYear: number): Draft[] {
  const drafts: Draft[] = []
  const yearStart = getFiscalYearStartDay(fiscalYear)
  for (let index = 0; drafts.length < ITEMS_WITHOUT_TENDER; index += 1) {
    const random = createSeededRandom(world.seed, 'budget alone', fiscalYear, index)
    const day = yearStart + random.int(0, 200)
    const draft =
      isWorkingDayNumber(day) &&
      draftOf(random, generateProjectPlan(random, world.departments, day), fiscalYear, fiscalYear)
    if (draft) drafts.push(draft)
  }
  return drafts
}

const METHOD_SUFFIX = /(?<!\s)\s*(?:ด้วยวิธี|โดยวิธี)[^\s][\s\S]*/u
const VERB_PREFIX =
  /^(?:ประกวดราคา|สอบราคา)?(?:จ้างก่อสร้าง(?=โครงการ)|จ้างออกแบบและควบคุมงาน|จ้างควบคุมงาน|จ้างออกแบบ|จ้าง|ซื้อ)?/u

/**
 * Returns the item of a plan; undefined for buyers not paid by the state, and in later years for items paid at once.
 */
function draftOf(random: SeededRandom, plan: ProjectPlan, startYear: number, fiscalYear: number): Draft | undefined {
  const unit = plan.department.name
  const ministry = findSampleMinistry(unit)
  const isMultiYear = plan.type === 'construct' && plan.budget >= MULTI_YEAR_THRESHOLD && random.chance(0.5)
  // Multi-year items pay a fifth in the first year and the remainder in the second.
  if (ministry === undefined || (fiscalYear !== startYear && !isMultiYear)) return undefined
  const amount = listedAmount(random, plan.budget)
  const firstYearAmount = roundToSignificantDigits(amount * 0.2, 4)
  const subject = toArabicDigits(plan.title).replace(METHOD_SUFFIX, '').replace(VERB_PREFIX, '')
  const shortened = random.chance(0.3) ? subject.replace(/ สำหรับ\S+/u, '') : subject
  const [firstYear, secondYear] = [startYear, startYear + 1].map(String)
  const shares = ` วงเงินทั้งสิ้น ${formatSampleTitleNumber(amount)} บาท ปี ${firstYear} ตั้งงบประมาณ ${formatSampleTitleNumber(firstYearAmount)} บาท ปี ${secondYear} ผูกพันงบประมาณ ${formatSampleTitleNumber(amount - firstYearAmount)} บาท`
  const { plan: budgetPlan, output, project, isCrossFunction } = frameOf(random, plan)
  const yearAmount = !isMultiYear ? amount : fiscalYear === startYear ? firstYearAmount : amount - firstYearAmount
  return {
    ministry,
    unit,
    plan: budgetPlan,
    output: output ?? null,
    project: project ?? null,
    categories: SAMPLE_EXPENSE_CATEGORIES[plan.trade],
    description: isMultiYear ? `${shortened}${shares}` : shortened,
    amountSatang: Math.round(yearAmount * 100),
    isMultiYear,
    isCrossFunction: isCrossFunction === true,
  }
}

const frameOf = (random: SeededRandom, { trade }: ProjectPlan): SampleBudgetPosition =>
  random.pick(SAMPLE_BUDGET_POSITIONS[trade])

/** The amount requested two years ahead usually equals the tender's, sometimes nearly, rarely not. */
function listedAmount(random: SeededRandom, budget: number): number {
  const roll = random.next()
  if (roll < 0.62) return budget
  const spread = roll < 0.9 ? 0.06 : 0.4
  return Math.round((budget * (1 + (random.next() * 2 - 1) * spread)) / 100) * 100
}

function yearlyItems(world: SampleCatalogue, unit: string, fiscalYear: number): Draft[] {
  const size = createSeededRandom(world.seed, 'unit', unit).logNormal(1, 1)
  return SAMPLE_YEARLY_EXPENSES.filter((_, index) => index < 2 || size > 0.8).map(
    ([description, categories, baht]) => ({
      ministry: findSampleMinistry(unit)!,
      unit,
      plan: 'แผนงานบุคลากรภาครัฐและการบริหาร',
      output: 'รายการค่าใช้จ่ายประจำ',
      project: null,
      categories,
      description,
      amountSatang: Math.round(roundToSignificantDigits(baht * size * 1.03 ** (fiscalYear - 2568), 5)) * 100,
      isMultiYear: false,
      isCrossFunction: false,
    }),
  )
}

function assignSourceIds(drafts: readonly Draft[], fiscalYear: number): BudgetRecord[] {
  const ministries = [...new Set(drafts.map(({ ministry }) => ministry))].sort()
  const counters = new Map(ministries.map((ministry, index) => [ministry, { volume: index + 1, items: 0 }]))
  const sorted = drafts.toSorted(
    (a, b) => compare(a.ministry, b.ministry) || compare(a.unit, b.unit) || compare(a.plan ?? '', b.plan ?? ''),
  )
  return sorted.map((draft) => {
    const counter = counters.get(draft.ministry)!
    counter.items += 1
    return {
      ...draft,
      sourceId: `${fiscalYear - 543}.${counter.volume}.${counter.items}`,
      document: `ร่าง พ.ร.บ. งบประมาณ ${fiscalYear} ฉบับที่ 3 เล่มที่ ${counter.volume}`,
      page: 1 + Math.floor(counter.items / 9),
      fiscalYear,
    }
  })
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
