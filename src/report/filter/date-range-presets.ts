import { REPORT_DATE_PRESETS } from '#contract/report/report.ts'
import type { DateRange } from '#contract/report/report-param-kinds.ts'
import type { ReportParamNameOf } from '#contract/report/report-params.ts'
import { getFiscalYear, getFiscalYearRange } from '#contract/thai/thai-date.ts'

export type ReportDateParam = ReportParamNameOf<'dates'>
export type ReportDateRangePreset = { readonly value: string; readonly th: string; readonly range: DateRange }

/** Date filters whose presets list the future first; the presets of other date filters list the past first. */
const DEADLINE_PARAMS: readonly ReportDateParam[] = ['draft_discussion_end_date__range', 'submission_end_date__range']

const rangeOf = (value: string): DateRange => {
  const [from = null, to = null] = value.split(',')
  return { from, to }
}

export function buildDateRangePresets(
  name: ReportDateParam,
  today: string,
): { first: ReportDateRangePreset[]; more: ReportDateRangePreset[] } {
  const year = getFiscalYear(today)
  const days = getFiscalYearRange(year)
  const fiscal: ReportDateRangePreset = { value: `${days.from},${days.to}`, th: `ปีงบประมาณ ${year}`, range: days }
  const presets: ReportDateRangePreset[] = [
    ...REPORT_DATE_PRESETS.map((preset) => ({ ...preset, range: rangeOf(preset.value) })),
    fiscal,
  ]
  const isFuture = ({ range }: ReportDateRangePreset) => range.from === '@0'
  const isFitting = DEADLINE_PARAMS.includes(name)
    ? isFuture
    : (preset: ReportDateRangePreset) => !isFuture(preset) || preset.value === '@0,@0'
  return { first: presets.filter(isFitting), more: presets.filter((preset) => !isFitting(preset)) }
}
