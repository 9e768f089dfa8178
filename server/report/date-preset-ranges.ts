import { REPORT_DATE_PRESETS } from '#contract/report/report.ts'

/** Days from today, inclusive, of each preset of a date filter. */
export const DATE_PRESET_RANGES = REPORT_DATE_PRESETS.map(({ value }) => {
  const [from, to] = value.split(',').map((bound) => Number(bound.slice(1)))
  return { value, from: from!, to: to! }
})
export const FIRST_DATE_PRESET_DAY = Math.min(...DATE_PRESET_RANGES.map((preset) => preset.from))
export const LAST_DATE_PRESET_DAY = Math.max(...DATE_PRESET_RANGES.map((preset) => preset.to))
