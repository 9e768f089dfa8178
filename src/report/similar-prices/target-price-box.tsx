import { type KeyboardEvent, useId } from 'react'
import type { SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { TextField } from '#src/ui/form/text-field.tsx'
import { computeTargetPriceComparison, formatBidComparison, formatWinnerComparison } from './price-rank.ts'
import { formatDiscountInWords } from './similar-prices-discount-bins.ts'
import { parseTargetPrice } from './target-price-store.ts'

/** Slider range in tenths of a percentage point, extended if the winner of a similar project is outside it. */
const MIN_TENTHS = -50
const MAX_TENTHS = 300
const STEP_TENTHS = 5
const PAGE_STEP_TENTHS = 25

type TargetBoxProps = {
  text: string
  onType: (text: string) => void
  reference: number | null
  isReferenceInDoubt: boolean
  prices: Pick<SimilarProjectPrices, 'results' | 'median'>
}

/** The result is not a probability of winning (5.2). */
export function TargetPriceBox({ text, onType, reference, isReferenceInDoubt, prices }: TargetBoxProps) {
  const resultId = useId()
  const entry = parseTargetPrice(text, reference)
  const discount = entry?.ok ? entry.discount : undefined
  const comparison = entry?.ok && entry.ratio && computeTargetPriceComparison(entry.ratio, prices.results)
  const winnerComparison = comparison && formatWinnerComparison(comparison)
  const bidComparison = comparison && formatBidComparison(comparison)
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
      <Slider
        discount={discount}
        valueText={joinParts(
          discount === undefined ? 'ยังไม่ได้เลือกราคา' : formatDiscountInWords(discount),
          winnerComparison,
          bidComparison,
        )}
        prices={prices}
        onType={onType}
      />
      <div id={resultId} role="status" className="mt-1.5 min-h-[1.6em] space-y-1 text-sm">
        {entry?.ok && discount === undefined && (
          <p>{isReferenceInDoubt ? 'ราคากลางน่าสงสัย' : 'โครงการนี้ไม่มีราคากลาง'} จึงเทียบราคานี้เป็นส่วนลดไม่ได้</p>
        )}
        {entry?.ok && discount !== undefined && (
          <p className="font-medium">
            {entry.baht !== undefined && reference !== null && (
              <span className="tabular-nums">{formatBaht(entry.baht)} บาท </span>
            )}
            {formatDiscountInWords(discount)}
          </p>
        )}
        {winnerComparison && (
          <p>
            {winnerComparison} <span className="text-xs text-ink-muted">(รู้แค่ราคาผู้ชนะ)</span>
          </p>
        )}
        {bidComparison && <p>{bidComparison}</p>}
      </div>
      <p className="mt-1.5 text-xs text-ink-muted">นับจากงานที่จบแล้วเท่านั้น ไม่ได้แปลว่ายื่นราคานี้แล้วจะชนะ</p>
      <p className="text-xs text-ink-faint print:hidden">ราคานี้คิดในเบราว์เซอร์ของคุณเท่านั้น ไม่ส่งออกไปไหน</p>
    </section>
  )
}

type SliderProps = Pick<TargetBoxProps, 'onType' | 'prices'> & { discount: number | undefined; valueText: string }

function Slider({ discount, valueText, prices, onType }: SliderProps) {
  const tenths = prices.results.map(({ discount }) => Math.round(discount * 1000))
  const lowest = Math.min(MIN_TENTHS, ...tenths)
  const highest = Math.max(MAX_TENTHS, ...tenths)
  const min = Math.floor(lowest / STEP_TENTHS) * STEP_TENTHS
  const max = Math.ceil(highest / STEP_TENTHS) * STEP_TENTHS
  const value = Math.min(max, Math.max(min, Math.round((discount ?? prices.median ?? 0) * 1000)))
  const moveTo = (newValue: number) => onType(`${Math.min(max, Math.max(min, newValue)) / 10}%`)
  const onKeyDown = (event: KeyboardEvent) => {
    const up = (Math.floor(value / STEP_TENTHS) + 1) * STEP_TENTHS
    const down = (Math.ceil(value / STEP_TENTHS) - 1) * STEP_TENTHS
    const newValue = {
      ArrowRight: up,
      ArrowUp: up,
      ArrowLeft: down,
      ArrowDown: down,
      PageUp: value + PAGE_STEP_TENTHS,
      PageDown: value - PAGE_STEP_TENTHS,
      Home: min,
      End: max,
    }[event.key]
    if (newValue === undefined) return
    event.preventDefault()
    moveTo(newValue)
  }
  return (
    <div className="mt-2 print:hidden">
      <input
        type="range"
        min={min}
        max={max}
        step={1}
        value={value}
        aria-label="ส่วนลดจากราคากลาง"
        aria-valuetext={valueText}
        onKeyDown={onKeyDown}
        onChange={(event) => moveTo(Number(event.currentTarget.value))}
        className="block h-6 w-full cursor-pointer accent-accent touch:h-11"
      />
      <div aria-hidden className="flex justify-between text-xs text-ink-faint tabular-nums">
        <span>{min < 0 ? `สูงกว่าราคากลาง ${-min / 10}%` : `ลด ${min / 10}%`}</span>
        <span>ลด {max / 10}%</span>
      </div>
    </div>
  )
}
