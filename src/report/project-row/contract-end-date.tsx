import { countDaysBetween, formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'

type ContractEndProps = {
  endDates: readonly string[]
  today: string
}

export function ContractEndDate({ endDates, today }: ContractEndProps) {
  const endDate = endDates.find((day) => day >= today) ?? endDates.at(-1)!
  const daysLeft = countDaysBetween(today, endDate)
  const otherCount = endDates.length - 1
  return (
    <>
      {formatThaiDateShortOrOriginal(endDate)}
      <span className="block text-xs text-ink-muted">
        {daysLeft > 0 ? `อีก ${daysLeft} วัน` : daysLeft === 0 ? 'วันนี้' : 'ครบกำหนดแล้ว'}
        {otherCount > 0 && ` · สัญญาอื่นอีก ${otherCount} ฉบับ`}
      </span>
    </>
  )
}
