import { useId } from 'react'
import {
  type ComparablePriceScope,
  MIN_SIMILAR_PROJECTS,
  type SimilarProjectPrices,
} from '#contract/catalogue/similar-prices.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { TextButton } from '#src/ui/text-button.tsx'
import { formatBandSubject, formatDiscountRange } from './similar-prices-discount-bins.ts'

type PriceScopeProps = {
  prices: SimilarProjectPrices
  selectedStep: ComparablePriceScope | undefined
  onStep: (step: ComparablePriceScope | undefined) => void
}

export function SimilarPriceScope({ prices, selectedStep, onStep }: PriceScopeProps) {
  const name = useId()
  const { scope, steps, step, n, found: foundCount, without_reference, without_clear_price, above_reference } = prices
  if (step === null) return <p className="mt-0.5 text-sm text-ink-muted">ชื่อโครงการบอกไม่พอว่าซื้ออะไร จึงหางานที่คล้ายกันไม่ได้</p>
  const { references_in_doubt: doubtfulReferences = 0 } = prices
  const currentIndex = steps.findIndex((candidate) => candidate.step === step)
  const added = steps.slice(1, currentIndex + 1).map(({ text }) => text)
  const [narrowest] = steps
  const enough = steps[currentIndex]!.n >= MIN_SIMILAR_PROJECTS
  const missingReferences = without_reference - doubtfulReferences
  const excludedText = joinParts(
    missingReferences > 0 && `ไม่มีราคากลาง ${formatCount(missingReferences)} งาน`,
    doubtfulReferences > 0 && `ราคากลางน่าสงสัย ${formatCount(doubtfulReferences)} งาน`,
    without_clear_price > 0 && `หลายผู้ชนะหรือราคาสัญญาไม่ตรงกับที่ประกาศ ${formatCount(without_clear_price)} งาน`,
    'งานที่ยกเลิก',
  )
  return (
    <>
      <p className="mt-0.5 text-sm text-ink-muted">
        เทียบกับ{scope} · <span className="tabular-nums">{formatCount(foundCount)}</span> งานที่รู้ผล
        {foundCount > n && ` ใช้ ${formatCount(n)} งานที่ใกล้ที่สุด`}
      </p>
      <p className="text-xs text-ink-faint">
        ไม่นับ {excludedText}
        {above_reference > 0 && ` · นับงานที่ชนะสูงกว่าราคากลางด้วย ${formatCount(above_reference)} งาน`}
        {' · กิจการร่วมค้านับเป็นผู้ชนะรายเดียว'}
        <DoubtfulAmountsNote count={prices.amounts_in_doubt} />
      </p>
      {(added.length > 0 || !enough) && (
        <p role="note" className="mt-2 rounded-control bg-updated-soft px-3 py-2 text-sm text-updated">
          {added.length > 0 && selectedStep === undefined && (
            <>
              {narrowest!.text}
              {narrowest!.n === 0
                ? 'ไม่มีงานคล้ายกัน'
                : `มีงานคล้ายกันเพียง ${formatCount(narrowest!.n)} งาน (น้อยกว่า ${MIN_SIMILAR_PROJECTS})`}{' '}
              จึงขยายเป็น {added.join(' → ')}
            </>
          )}
          {added.length > 0 && selectedStep !== undefined && `ขยายแล้ว: ${added.join(' → ')}`}
          {!enough &&
            ` มีเพียง ${formatCount(steps[currentIndex]!.n)} งาน น้อยกว่า ${MIN_SIMILAR_PROJECTS} งาน อ่านอย่างระวัง`}
        </p>
      )}
      <fieldset className="mt-2 print:hidden">
        <legend className="text-xs text-ink-muted">ขอบเขตงานที่นำมาเทียบ แต่ละข้อรวมข้อบน</legend>
        {steps.map((scopeStep, at) => (
          <label
            key={scopeStep.step}
            className={classNames(
              'flex items-center gap-2 py-0.5 text-sm touch:min-h-11',
              at > currentIndex && 'text-ink-muted',
              scopeStep.step === step && 'font-medium',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={scopeStep.step === step}
              onChange={() => onStep(scopeStep.step)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 flex-1">
              {at > 0 && '+ '}
              {scopeStep.text}
            </span>{' '}
            <span className="whitespace-nowrap text-ink-muted tabular-nums">{formatCount(scopeStep.n)} งาน</span>
          </label>
        ))}
        {selectedStep !== undefined && (
          <TextButton onClick={() => onStep(undefined)} className="text-sm">
            ให้ระบบเลือกขอบเขต
          </TextButton>
        )}
      </fieldset>
    </>
  )
}

type PriceBandSummaryProps = {
  prices: Pick<SimilarProjectPrices, 'band' | 'n'>
  reference: number | null
}

/** States the discounts between which eight of ten comparable projects were won, also in baht of this project. */
export function PriceBandSummary({ prices: { band, n }, reference }: PriceBandSummaryProps) {
  if (band === null) {
    // Without any similar project, the chart below shows a notice.
    return n === 0 ? null : (
      <p className="mt-3 text-ink-muted">
        มีงานคล้ายกันที่รู้ราคาไม่ถึง {MIN_SIMILAR_PROJECTS} งาน น้อยเกินไปที่จะบอกช่วงส่วนลดของ 8 ใน 10 งาน
      </p>
    )
  }
  return (
    <div className="mt-3 tabular-nums">
      <p>
        {formatBandSubject(band)}{' '}
        <span className="text-xl font-bold whitespace-nowrap text-accent-ink">
          {formatDiscountRange(band.low, band.high)}
        </span>{' '}
        <span className="whitespace-nowrap">จาก {formatCount(band.n)} งาน</span>
      </p>
      {reference !== null && reference > 0 && (
        <p>
          คิดกับราคากลางของโครงการนี้ {formatBahtCompact(reference * (1 - band.high))} –{' '}
          {formatBahtCompact(reference * (1 - band.low))} บาท
        </p>
      )}
      {band.basis === 'agency' && (
        <p className="text-xs text-ink-muted">
          งานที่ชื่อคล้ายกันมีไม่ถึง {MIN_SIMILAR_PROJECTS} งาน ช่วงนี้จึงมาจากงานประเภทและวิธีเดียวกันของหน่วยงานนี้ที่วงเงินใกล้กัน
          ชื่องานอาจต่างกัน อ่านอย่างระวัง
        </p>
      )}
    </div>
  )
}
