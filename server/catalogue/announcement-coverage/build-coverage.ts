import {
  COVERAGE_AGENCY_KINDS,
  COVERAGE_DAYS,
  COVERAGE_MONTHS,
  COVERAGE_MORNING,
  type CoverageDay,
  type CoverageFigures,
  type CoverageGroup,
  type CoverageMonth,
  type CoverageNightOutcome,
  type CoverageSeries,
} from '#contract/catalogue/coverage.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { addDays, addMonths, getBangkokToday } from '#contract/thai/thai-date.ts'
import { toBangkokDateTime } from '#server/catalogue/intake/opening-hours.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  type AgencyCodes,
  type AgencyGroup,
  type CoverageCount,
  type CoverageGroupKey,
  type CoverageNightRow,
  type CoveragePeriod,
  countAgencies,
  countInvitations,
  findFirstStoredDay,
  GAP_RETENTION_DAYS,
  listCoverageNights,
  listUnansweredDays,
  type UnansweredDays,
} from './queries.ts'

/** Outcomes after which queries of the night were left unanswered. */
const FAILED: readonly CoverageNightOutcome[] = ['cut_short', 'refused', 'closed', 'halted']

export type CoverageCalendar = CoveragePeriod & {
  readonly now: Date
  readonly nights: readonly CoverageNightRow[]
  readonly firstNight: string | null
  readonly countsSince: string | null
}

/** The period ends with the newest day whose first morning has passed. */
export async function loadCoverageCalendar(db: Db, now: Date): Promise<CoverageCalendar> {
  const [nights, firstStoredDay] = await Promise.all([listCoverageNights(db), findFirstStoredDay(db)])
  const today = getBangkokToday(now)
  const to = addDays(today, now >= toBangkokDateTime(today, COVERAGE_MORNING) ? -1 : -2)
  const firstNight = nights[0]?.night ?? null
  const lastNight = nights.at(-1)?.night
  const storedSince = firstStoredDay ?? (lastNight === undefined ? undefined : addDays(lastNight, -GAP_RETENTION_DAYS))
  return {
    now,
    nights,
    to,
    daysFrom: addDays(to, 1 - COVERAGE_DAYS),
    from: addMonths(monthOf(to), 1 - COVERAGE_MONTHS),
    firstNight,
    countsSince: firstNight === null || storedSince === undefined ? null : later(firstNight, storedSince),
  }
}

const later = (a: string, b: string) => (a > b ? a : b)
const earlier = (a: string, b: string) => (a < b ? a : b)
const monthOf = (day: string) => `${day.slice(0, 7)}-01`

type Material = {
  readonly counts: readonly CoverageCount[]
  readonly agencies: readonly AgencyGroup[]
  readonly unanswered: readonly UnansweredDays[]
}

type Span = { readonly from: string; readonly to: string }

export async function loadCoverage(
  db: Db,
  calendar: CoverageCalendar,
  codes?: AgencyCodes,
): Promise<{ readonly series: CoverageSeries; readonly groups: CoverageGroup[] }> {
  // Days before the first night are unknown, although its answers reach back some days.
  const period = { ...calendar, from: later(calendar.from, calendar.firstNight ?? calendar.from) }
  const [counts, agencies, unanswered] = await Promise.all([
    countInvitations(db, period, codes),
    countAgencies(db, codes),
    listUnansweredDays(db, period, codes),
  ])
  const material = { counts, agencies, unanswered }
  return { series: buildSeries(material, calendar), groups: buildGroups(material, calendar) }
}

function buildSeries(material: Material, calendar: CoverageCalendar): CoverageSeries {
  return {
    agencies: countGroups(material.agencies),
    days: Array.from({ length: COVERAGE_DAYS }, (_, index) => addDays(calendar.to, -index)).map((day) =>
      buildDay(material, calendar, day),
    ),
    months: Array.from({ length: COVERAGE_MONTHS }, (_, index) => addMonths(monthOf(calendar.to), -index))
      .filter((month) => calendar.firstNight !== null && addMonths(month, 1) > calendar.firstNight)
      .map((month) => buildMonth(material, calendar, month)),
  }
}

function buildDay(material: Material, calendar: CoverageCalendar, day: string): CoverageDay {
  const night = calendar.nights.find((row) => row.night === day)
  const hasSecondMorning = calendar.now >= toBangkokDateTime(addDays(day, 2), COVERAGE_MORNING)
  const figures = buildFigures(material, calendar, { from: day, to: day })
  return {
    day,
    ...figures,
    by_second_morning: hasSecondMorning ? figures.by_second_morning : null,
    night: {
      outcome: night?.outcome ?? 'none',
      unreadable: night?.unreadable ?? 0,
      timeouts: night?.timeouts ?? 0,
    },
  }
}

function buildMonth(material: Material, calendar: CoverageCalendar, month: string): CoverageMonth {
  const span = {
    from: later(month, calendar.firstNight ?? month),
    to: earlier(addDays(addMonths(month, 1), -1), calendar.to),
  }
  const nights = calendar.nights.filter(({ night }) => span.from <= night && night <= span.to)
  return {
    ...span,
    ...buildFigures(material, calendar, span),
    nights: nights.length,
    failed_nights: nights.filter(({ outcome }) => FAILED.includes(outcome)).length,
  }
}

function buildGroups({ counts, agencies, unanswered }: Material, calendar: CoverageCalendar): CoverageGroup[] {
  const keys = new Map<string, CoverageGroupKey>()
  for (const { kind, province } of [...agencies, ...counts]) keys.set(`${kind} ${province}`, { kind, province })
  const ofGroup = ({ kind, province }: CoverageGroupKey): CoverageGroup => {
    const isMember = (row: CoverageGroupKey) => row.kind === kind && row.province === province
    const material = {
      counts: counts.filter(isMember),
      agencies: agencies.filter(isMember),
      unanswered: unanswered.filter(isMember),
    }
    return {
      kind,
      province: getProvinceName(province),
      agencies: countGroups(material.agencies),
      days: buildFigures(material, calendar, { from: calendar.daysFrom, to: calendar.to }),
      months: buildFigures(material, calendar, {
        from: later(calendar.from, calendar.firstNight ?? calendar.from),
        to: calendar.to,
      }),
    }
  }
  return [...keys.values()]
    .map(ofGroup)
    .toSorted(
      (a, b) =>
        COVERAGE_AGENCY_KINDS.indexOf(a.kind) - COVERAGE_AGENCY_KINDS.indexOf(b.kind) ||
        Number(a.province === null) - Number(b.province === null) ||
        (a.province ?? '').localeCompare(b.province ?? '', 'th'),
    )
}

/**
 * Adds up one period. An agency is unknown while its answers leave out one of the days; `counted` is null when the period
 * begins before the stored counts, or when no agency has answered for it.
 */
function buildFigures(
  { counts, agencies: groups, unanswered }: Material,
  { countsSince, daysFrom }: CoverageCalendar,
  { from, to }: Span,
): CoverageFigures {
  // Rows before `daysFrom` are whole months, which no shorter span contains.
  const inSpan = counts.filter(({ bucket }) =>
    bucket < daysFrom ? from < daysFrom && monthOf(from) <= bucket && bucket <= to : from <= bucket && bucket <= to,
  )
  const agencies = countGroups(groups)
  const unknown = new Set(unanswered.flatMap((row) => (row.from <= to && (row.to ?? to) >= from ? row.agency : [])))
    .size
  const isCounted = countsSince !== null && countsSince <= from && (unknown < agencies || agencies === 0)
  return {
    counted: isCounted ? sum(inSpan, ({ counted }) => counted) : null,
    had: sum(inSpan, ({ had }) => had),
    by_first_morning: sum(inSpan, ({ first }) => first),
    by_second_morning: sum(inSpan, ({ second }) => second),
    unknown_agencies: unknown,
  }
}

const sum = <Row>(rows: readonly Row[], figure: (row: Row) => number): number =>
  rows.reduce((total, row) => total + figure(row), 0)
const countGroups = (groups: readonly AgencyGroup[]): number => sum(groups, ({ agencies }) => agencies)
