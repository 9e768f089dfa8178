import { arabicDigits } from '#contract/thai/thai-letters.ts'
import type { BudgetRecord } from '#server/catalogue/feed/sources/budget-csv.ts'
import { type BudgetFrame, CATEGORIES, FRAMES, ministryOf, YEARLY } from './budget-frames.ts'
import { type ProjectPlan, planProject } from './project-plan.ts'
import { plansCreated, type SampleWorld } from './sample-projects.ts'
import { type Random, seededRandom } from './seeded-random.ts'
import { figure, roundMoney } from './title-words.ts'
import { fiscalYearStart, isWorkingDay } from './working-days.ts'

/** Share of state-paid projects whose item is listed by name. */
const LISTED = 0.2
const WITHOUT_TENDER = 700
/** Half of the works from this amount on are paid over several years. */
const LARGE = 20_000_000

/**
 * Returns the invented budget of one fiscal year, about 3,000 items of the demo's departments; depends only on seed and
 * year. Half of the items are projects announced during the year at about their budgets, so that linking has something
 * to match.
 */
export function sampleBudget(world: SampleWorld, fiscalYear: number): BudgetRecord[] {
  const drafts = [
    ...tenderedItems(world, fiscalYear, fiscalYear),
    ...tenderedItems(world, fiscalYear - 1, fiscalYear),
    ...itemsWithoutTender(world, fiscalYear),
  ]
  const units = new Set(drafts.map(({ unit }) => unit))
  const items = [...drafts, ...[...units].flatMap((unit) => yearlyItems(world, unit, fiscalYear))]
  return numbered(items, fiscalYear)
}

type Draft = Omit<BudgetRecord, 'sourceId' | 'document' | 'page' | 'fiscalYear'>

function tenderedItems(world: SampleWorld, began: number, fiscalYear: number): Draft[] {
  const drafts: Draft[] = []
  let place = 0
  for (const plan of plansCreated(world, fiscalYearStart(began), fiscalYearStart(began + 1) - 1)) {
    place += 1
    if (plan.fiscalYear !== began) continue
    const random = seededRandom(world.seed, 'budget', began, place)
    if (!random.chance(LISTED)) continue
    const draft = draftOf(random, plan, began, fiscalYear)
    if (draft) drafts.push(draft)
  }
  return drafts
}

function itemsWithoutTender(world: SampleWorld, fiscalYear: number): Draft[] {
  const drafts: Draft[] = []
  const first = fiscalYearStart(fiscalYear)
  for (let place = 0; drafts.length < WITHOUT_TENDER; place += 1) {
    const random = seededRandom(world.seed, 'budget alone', fiscalYear, place)
    const day = first + random.int(0, 200)
    const draft =
      isWorkingDay(day) && draftOf(random, planProject(random, world.departments, day), fiscalYear, fiscalYear)
    if (draft) drafts.push(draft)
  }
  return drafts
}

const METHOD = /(?<!\s)\s*(?:ด้วยวิธี|โดยวิธี)[^\s][\s\S]*/u
const VERB = /^(?:ประกวดราคา|สอบราคา)?(?:จ้างก่อสร้าง(?=โครงการ)|จ้างออกแบบและควบคุมงาน|จ้างควบคุมงาน|จ้างออกแบบ|จ้าง|ซื้อ)?/u

/**
 * Returns the item of a plan; undefined for buyers not paid by the state, and in later years for items paid at once.
 */
function draftOf(random: Random, plan: ProjectPlan, began: number, fiscalYear: number): Draft | undefined {
  const unit = plan.department.name
  const ministry = ministryOf(unit)
  const isMultiYear = plan.type === 'construct' && plan.budget >= LARGE && random.chance(0.5)
  // Multi-year items pay a fifth in the first year and the rest in the next.
  if (ministry === undefined || (fiscalYear !== began && !isMultiYear)) return undefined
  const amount = listedAmount(random, plan.budget)
  const first = roundMoney(amount * 0.2, 4)
  const thing = arabicDigits(plan.title).replace(METHOD, '').replace(VERB, '')
  const shortened = random.chance(0.3) ? thing.replace(/ สำหรับ\S+/u, '') : thing
  const [now, later] = [began, began + 1].map(String)
  const shares = ` วงเงินทั้งสิ้น ${figure(amount)} บาท ปี ${now} ตั้งงบประมาณ ${figure(first)} บาท ปี ${later} ผูกพันงบประมาณ ${figure(amount - first)} บาท`
  const { plan: budgetPlan, output, project, isCrossFunction } = frameOf(random, plan)
  const due = !isMultiYear ? amount : fiscalYear === began ? first : amount - first
  return {
    ministry,
    unit,
    plan: budgetPlan,
    output: output ?? null,
    project: project ?? null,
    categories: CATEGORIES[plan.trade],
    description: isMultiYear ? `${shortened}${shares}` : shortened,
    amountSatang: Math.round(due * 100),
    isMultiYear,
    isCrossFunction: isCrossFunction === true,
  }
}

const frameOf = (random: Random, { trade }: ProjectPlan): BudgetFrame => random.pick(FRAMES[trade])

/** The amount requested two years ahead usually equals the tender's, sometimes nearly, rarely not. */
function listedAmount(random: Random, budget: number): number {
  const roll = random.next()
  if (roll < 0.62) return budget
  const spread = roll < 0.9 ? 0.06 : 0.4
  return Math.round((budget * (1 + (random.next() * 2 - 1) * spread)) / 100) * 100
}

function yearlyItems(world: SampleWorld, unit: string, fiscalYear: number): Draft[] {
  const size = seededRandom(world.seed, 'unit', unit).logNormal(1, 1)
  return YEARLY.filter((_, place) => place < 2 || size > 0.8).map(([description, categories, baht]) => ({
    ministry: ministryOf(unit)!,
    unit,
    plan: 'แผนงานบุคลากรภาครัฐและการบริหาร',
    output: 'รายการค่าใช้จ่ายประจำ',
    project: null,
    categories,
    description,
    amountSatang: Math.round(roundMoney(baht * size * 1.03 ** (fiscalYear - 2568), 5)) * 100,
    isMultiYear: false,
    isCrossFunction: false,
  }))
}

function numbered(drafts: readonly Draft[], fiscalYear: number): BudgetRecord[] {
  const ministries = [...new Set(drafts.map(({ ministry }) => ministry))].sort()
  const places = new Map(ministries.map((ministry, index) => [ministry, { volume: index + 1, items: 0 }]))
  const sorted = drafts.toSorted(
    (a, b) => compare(a.ministry, b.ministry) || compare(a.unit, b.unit) || compare(a.plan ?? '', b.plan ?? ''),
  )
  return sorted.map((draft) => {
    const place = places.get(draft.ministry)!
    place.items += 1
    return {
      ...draft,
      sourceId: `${fiscalYear - 543}.${place.volume}.${place.items}`,
      document: `ร่าง พ.ร.บ. งบประมาณ ${fiscalYear} ฉบับที่ 3 เล่มที่ ${place.volume}`,
      page: 1 + Math.floor(place.items / 9),
      fiscalYear,
    }
  })
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
