import { REPORT_DATE_PRESETS } from '#contract/report/report.ts'
import type { DateRange } from '#contract/report/report-param-kinds.ts'
import { findReportParam, type ReportParamNameOf } from '#contract/report/report-params.ts'
import { getFiscalYear, getFiscalYearRange } from '#contract/thai/thai-date.ts'

export type ReportDateParam = ReportParamNameOf<'dates'>
export type ReportDateRangePreset = { readonly value: string; readonly th: string; readonly range: DateRange }

const INLINE_PRESETS: readonly string[] = ['@0,@3', '@0,@7']

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
  const { isDeadline, panel } = findReportParam(name)
  const isFitting = panel?.isInline
    ? ({ value }: ReportDateRangePreset) => INLINE_PRESETS.includes(value)
    : isDeadline
      ? isFuture
      : (preset: ReportDateRangePreset) => !isFuture(preset) || preset.value === '@0,@0'
  return { first: presets.filter(isFitting), more: presets.filter((preset) => !isFitting(preset)) }
}
