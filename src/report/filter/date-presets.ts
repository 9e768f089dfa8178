import { REPORT_DATE_PRESETS } from '#contract/report/report.ts'
import type { DateRange } from '#contract/report/report-param-kinds.ts'
import type { ReportParamNameOf } from '#contract/report/report-params.ts'
import { fiscalYear, fiscalYearRange } from '#contract/thai/thai-date.ts'

export type DateParam = ReportParamNameOf<'dates'>
export type DatePreset = { readonly value: string; readonly th: string; readonly range: DateRange }

/** Date filters that list future presets first; the others list past ones first. */
const DEADLINE_PARAMS: readonly DateParam[] = ['draft_discussion_end_date__range', 'submission_end_date__range']

const rangeOf = (value: string): DateRange => {
  const [from = null, to = null] = value.split(',')
  return { from, to }
}

export function datePresets(name: DateParam, today: string): { first: DatePreset[]; more: DatePreset[] } {
  const year = fiscalYear(today)
  const days = fiscalYearRange(year)
  const fiscal: DatePreset = { value: `${days.from},${days.to}`, th: `ปีงบประมาณ ${year}`, range: days }
  const presets: DatePreset[] = [
    ...REPORT_DATE_PRESETS.map((preset) => ({ ...preset, range: rangeOf(preset.value) })),
    fiscal,
  ]
  const isFuture = ({ range }: DatePreset) => range.from === '@0'
  const isFitting = DEADLINE_PARAMS.includes(name)
    ? isFuture
    : (preset: DatePreset) => !isFuture(preset) || preset.value === '@0,@0'
  return { first: presets.filter(isFitting), more: presets.filter((preset) => !isFitting(preset)) }
}
