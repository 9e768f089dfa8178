import { daysBetween, thaiDay } from '#contract/thai/thai-date.ts'

type ContractEndProps = {
  /** End dates of active contracts, ascending; at least one. */
  ends: readonly string[]
  today: string
}

/** The next contract end, else the last one, with the days left and the number of further contracts. */
export function ContractEnd({ ends, today }: ContractEndProps) {
  const end = ends.find((day) => day >= today) ?? ends.at(-1)!
  const left = daysBetween(today, end)
  const others = ends.length - 1
  return (
    <>
      {thaiDay(end)}
      <span className="block text-xs text-ink-muted">
        {left > 0 ? `อีก ${left} วัน` : left === 0 ? 'วันนี้' : 'ครบกำหนดแล้ว'}
        {others > 0 && ` · สัญญาอื่นอีก ${others} ฉบับ`}
      </span>
    </>
  )
}
