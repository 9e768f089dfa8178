import { DATE_PRESETS } from '#contract/report/report.ts'
import type { DateRange } from '#contract/report/report-param-kinds.ts'
import type { ReportParamNameOf } from '#contract/report/report-params.ts'
import { fiscalYear, fiscalYearRange } from '#contract/thai/thai-date.ts'

export type DateParam = ReportParamNameOf<'dates'>
/** A range offered by name; `value` is its text in the address. */
export type DatePreset = { readonly value: string; readonly th: string; readonly range: DateRange }

/** Days that lie ahead are asked for as deadlines, the others as news: the fitting presets stand first. */
const DEADLINES: readonly DateParam[] = ['draft_discussion_end_date__range', 'submission_end_date__range']

const rangeOf = (value: string): DateRange => {
  const [from = null, to = null] = value.split(',')
  return { from, to }
}

/** Presets of a date filter: the fitting ones, then the rest, with the fiscal year that `today` lies in. */
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
