import { DATE_PRESETS } from '#contract/report/report.ts'
import type { DateRange } from '#contract/report/report-param-kinds.ts'
import type { ReportParamNameOf } from '#contract/report/report-params.ts'
import { fiscalYear, fiscalYearRange } from '#contract/thai/thai-date.ts'

export type DateParam = ReportParamNameOf<'dates'>
/** A named range; `value` is its text in the address. */
export type DatePreset = { readonly value: string; readonly th: string; readonly range: DateRange }

/** Deadline filters list presets in the future first, the others those in the past. */
const DEADLINES: readonly DateParam[] = ['draft_discussion_end_date__range', 'submission_end_date__range']

const rangeOf = (value: string): DateRange => {
  const [from = null, to = null] = value.split(',')
  return { from, to }
}

export function datePresets(name: DateParam, today: string): { first: DatePreset[]; rest: DatePreset[] } {
  const year = fiscalYear(today)
  const days = fiscalYearRange(year)
  const fiscal: DatePreset = { value: `${days.from},${days.to}`, th: `ปีงบประมาณ ${year}`, range: days }
  const all: DatePreset[] = [...DATE_PRESETS.map((preset) => ({ ...preset, range: rangeOf(preset.value) })), fiscal]
  const isAhead = ({ range }: DatePreset) => range.from === '@0'
  const isFitting = DEADLINES.includes(name)
    ? isAhead
    : (preset: DatePreset) => !isAhead(preset) || preset.value === '@0,@0'
  return { first: all.filter(isFitting), rest: all.filter((preset) => !isFitting(preset)) }
}
