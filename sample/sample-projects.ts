import { DEMO_PROJECT_SERIES_DIGIT } from '#contract/catalogue/project-id.ts'
import { dayNumberToFiscalYear, dayNumberToIsoDate, getFiscalYearStartDay, isWorkingDayNumber } from './day-numbers.ts'
import type { SimulatedProjectHistory } from './project-history.ts'
import { generateProjectPlan, type ProjectPlan } from './project-plan.ts'
import { createSampleCompanies, type SampleCompanies } from './sample-companies.ts'
import { createSampleDepartments, type SampleDepartments } from './sample-departments.ts'
import { createSeededRandom } from './seeded-random.ts'
import { simulateProject } from './simulate-project.ts'

/**
 * Projects created on an ordinary working day. Even on 1 October, with only two fiscal years of history, the demo data
 * has over 20,000.
 */
const PROJECTS_PER_DAY = 50

/**
 * Factors by month from January. Invitations of real e-biddings peak in November to February and again in August and
 * September (1.37 to 0.68 times the average); projects are created some weeks earlier.
 */
const SEASON_FACTORS = [1.12, 1.07, 0.95, 0.68, 0.72, 0.82, 1.02, 1.16, 1.0, 1.02, 1.28, 1.16]

/** Serials are per month, with a range for each day, so that they grow with the days as in e-GP. */
const SERIALS_PER_DAY = 31_000
/** Repeated tenders are numbered above all daily ranges, by the day of their first failure. */
const FIRST_RETENDER_SERIAL = 962_000
const RETENDERS_PER_DAY = 100
const RETENDERS_PER_MONTH = 31 * RETENDERS_PER_DAY

export type SampleCatalogue = {
  readonly seed: number
  readonly departments: SampleDepartments
  readonly companies: SampleCompanies
}

export function createSampleCatalogue(seed: number): SampleCatalogue {
  return { seed, departments: createSampleDepartments(seed), companies: createSampleCompanies(seed) }
}

export function getFirstProjectCreationDay(day: number): number {
  return getFiscalYearStartDay(dayNumberToFiscalYear(day) - 2)
}

/** Yields all projects created from `from` to `to`. Depends only on seed and calendar, not on the requested range. */
export function* generateSimulatedProjectHistories(
  world: SampleCatalogue,
  from: number,
  to: number,
): Generator<SimulatedProjectHistory> {
  for (let day = from; day <= to; day++) {
    if (isWorkingDayNumber(day)) yield* generateLivesOfDay(world, day)
  }
}

function projectCountOn({ seed }: SampleCatalogue, iso: string): number {
  const month = Number(iso.slice(5, 7))
  return Math.round(PROJECTS_PER_DAY * SEASON_FACTORS[month - 1]! * (0.8 + createSeededRandom(seed, iso).next() * 0.4))
}

/** Yields only the plans of the projects of `generateSimulatedProjectHistories`, at an eighth of the cost of simulating them. */
export function* generateProjectPlans(world: SampleCatalogue, from: number, to: number): Generator<ProjectPlan> {
  for (let day = from; day <= to; day++) {
    if (!isWorkingDayNumber(day)) continue
    const iso = dayNumberToIsoDate(day)
    const count = projectCountOn(world, iso)
    for (let index = 0; index < count; index++)
      yield generateProjectPlan(createSeededRandom(world.seed, iso, index), world.departments, day)
  }
}

function* generateLivesOfDay(world: SampleCatalogue, day: number): Generator<SimulatedProjectHistory> {
  const iso = dayNumberToIsoDate(day)
  const count = projectCountOn(world, iso)
  for (let index = 0; index < count; index++) {
    const random = createSeededRandom(world.seed, iso, index)
    const plan = generateProjectPlan(random, world.departments, day)
    const serial =
      (Number(iso.slice(8)) - 1) * SERIALS_PER_DAY + Math.floor(((index + random.next()) * SERIALS_PER_DAY) / count)
    const { history, retenderDay } = simulateProject(random, plan, projectId(day, serial), day, world.companies)
    yield history
    if (retenderDay !== undefined) {
      const second = { ...plan, title: plan.secondTitle }
      const id = projectId(retenderDay, retenderSerial(day, index))
      yield simulateProject(random, second, id, retenderDay, world.companies).history
    }
  }
}

function retenderSerial(parentDay: number, index: number): number {
  const iso = dayNumberToIsoDate(parentDay)
  const slot = (Number(iso.slice(5, 7)) - 1) * RETENDERS_PER_MONTH + (Number(iso.slice(8)) - 1) * RETENDERS_PER_DAY
  return FIRST_RETENDER_SERIAL + slot + index
}

/**
 * Returns eleven digits as in e-GP: Buddhist year and month of creation, one digit, serial of six digits. The single
 * digit prevents collisions of imported and invented projects.
 */
function projectId(day: number, serial: number): string {
  const iso = dayNumberToIsoDate(day)
  const year = (Number(iso.slice(0, 4)) + 543) % 100
  return `${String(year).padStart(2, '0')}${iso.slice(5, 7)}${DEMO_PROJECT_SERIES_DIGIT}${String(serial).padStart(6, '0')}`
}
