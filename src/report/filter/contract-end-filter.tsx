import { CONTRACT_END_PRESET_DAYS } from '#contract/catalogue/contract-end.ts'
import { findReportParam } from '#contract/report/report-params.ts'
import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { getReportBidStateSegment, type ReportBidStateSegment } from '#src/lib/bid-segment.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { buildReportBidStateSegmentPatch } from './bid-segment-picker.tsx'
import type { FilterContext } from './filter-context.ts'
import { FilterFieldset } from './filter-fieldset.tsx'
import { ThaiShorthandInputField, type ThaiShorthandParseResult } from './shorthand-input-field.tsx'

const SEGMENTS_WITHOUT_CONTRACT: ReadonlySet<ReportBidStateSegment | undefined> = new Set<ReportBidStateSegment>([
  'open',
  'upcoming',
])
const { th: TITLE, max: MAX_DAYS = 0 } = findReportParam('ends_within')

function parseDays(text: string): ThaiShorthandParseResult<number> {
  const days = Number(toArabicDigits(text).replace(/วัน$/, ''))
  return Number.isInteger(days) && days >= 1 && days <= MAX_DAYS
    ? { ok: true, value: days }
    : { ok: false, message: `ใส่จำนวนวัน 1 ถึง ${MAX_DAYS}` }
}

/** Filter by contract end. Choosing a period leaves the open and upcoming segments, which contain no contracts. */
export function ContractEndFilter({ context: { search, change, facets } }: { context: FilterContext }) {
  const chosen = search.ends_within
  const choose = (days: number | undefined) =>
    change({
      ...(days !== undefined &&
        SEGMENTS_WITHOUT_CONTRACT.has(getReportBidStateSegment(search)) &&
        buildReportBidStateSegmentPatch('all', search)),
      ends_within: days,
    })
  const counts = new Map(facets?.options.ends_within?.map(({ value, count }) => [value, count]))
  const isCustom = chosen !== undefined && !(CONTRACT_END_PRESET_DAYS as readonly number[]).includes(chosen)
  return (
    <FilterFieldset title={TITLE}>
      {CONTRACT_END_PRESET_DAYS.map((days) => (
        <Checkbox
          key={days}
          checked={chosen === days}
          onChange={(on) => choose(on ? days : undefined)}
          trailing={facets ? formatCount(counts.get(String(days)) ?? 0) : ''}
        >
          ภายใน {days} วัน
        </Checkbox>
      ))}
      <ThaiShorthandInputField
        key={chosen}
        label="สัญญาสิ้นสุดภายในกี่วัน"
        placeholder="กี่วันก็ได้ เช่น 45"
        displayValue={isCustom ? String(chosen) : ''}
        parse={parseDays}
        onCommit={(days) => choose(days ?? undefined)}
        inputMode="decimal"
        className="mt-1.5"
      />
      <p className="mt-1.5 text-xs text-ink-faint">นับสัญญาที่ยังดำเนินอยู่ ทั้งในแท็บกำลังดำเนินการและส่งมอบแล้ว</p>
    </FilterFieldset>
  )
}
