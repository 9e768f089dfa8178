import { useId } from 'react'
import type { SimilarPrices } from '#contract/project/project-detail.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { countText } from '#src/lib/money-text.ts'
import { TextField } from '#src/ui/form/text-field.tsx'
import { discountLabel, FEWEST, percentileOf } from './price-figures.ts'
import type { TargetEntry } from './target-store.ts'

type TargetBoxProps = {
  text: string
  entry: TargetEntry | undefined
  onType: (text: string) => void
  reference: number | null
  prices: Pick<SimilarPrices, 'n' | 'discounts'>
}

/** The user's own target: a price or a discount, and where it stands among what similar projects were won at. No chance of winning (5.2). */
export function TargetBox({ text, entry, onType, reference, prices }: TargetBoxProps) {
  const answer = useId()
  return (
    <section aria-label="ราคาเป้าหมายของคุณ" className="mt-4 rounded-control border border-line bg-surface-muted p-3">
      <TextField
        label="ราคาเป้าหมายของคุณ"
        value={text}
        onChange={(event) => onType(event.target.value)}
        placeholder="เช่น 5 ล้าน หรือ 12%"
        autoComplete="off"
        error={entry?.ok === false ? entry.message : undefined}
        maxLength={40}
      />
      <p id={answer} role="status" className="mt-1.5 min-h-[1.6em] text-sm">
        {entry?.ok ? <Answer entry={entry} reference={reference} prices={prices} /> : null}
      </p>
      <p className="text-xs text-ink-faint">เก็บไว้ในเบราว์เซอร์นี้เท่านั้น ไม่ส่งออกไปไหน</p>
    </section>
  )
}

type AnswerProps = Pick<TargetBoxProps, 'reference' | 'prices'> & { entry: Extract<TargetEntry, { ok: true }> }

function Answer({ entry: { discount, baht }, reference, prices }: AnswerProps) {
  if (discount === undefined) return 'โครงการนี้ไม่มีราคากลาง จึงเทียบราคานี้เป็นส่วนลดไม่ได้'
  const percentile = prices.n < FEWEST ? undefined : percentileOf(prices.discounts, discount)
  return (
    <>
      {baht !== undefined && reference !== null && (
        <>
          <span className="font-medium tabular-nums">{formatBaht(baht)} บาท</span>{' '}
        </>
      )}
      <span className="font-medium">{discountLabel(discount)}</span>
      {percentile !== undefined && (
        <>
          {' · '}
          {placeText(percentile)} (เปอร์เซ็นไทล์ {Math.round(percentile * 100)} จาก {countText(prices.n)} งาน)
        </>
      )}
    </>
  )
}

/** Where a target stands, without saying what it is worth. */
function placeText(percentile: number): string {
  const percent = Math.round(percentile * 100)
  if (percentile === 0) return 'ลดน้อยกว่าผู้ชนะทุกงาน'
  if (percentile === 1) return 'ลดมากกว่าผู้ชนะทุกงาน'
  return `ลดมากกว่าผู้ชนะราว ${percent} ใน 100 งาน`
}
