import { useId } from 'react'
import { ENOUGH_SIMILAR, type SimilarPrices, type SimilarStep } from '#contract/catalogue/similar-prices.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'

type PriceScopeProps = {
  prices: Pick<
    SimilarPrices,
    'scope' | 'steps' | 'step' | 'n' | 'found' | 'without_reference' | 'without_clear_price' | 'above_reference'
  >
  /** Scope chosen by the user; undefined for the automatic one. */
  asked: SimilarStep | undefined
  onStep: (step: SimilarStep | undefined) => void
}

export function PriceScope({ prices, asked, onStep }: PriceScopeProps) {
  const { scope, steps, step, n, found, without_reference, without_clear_price, above_reference } = prices
  if (step === null) return <p className="mt-0.5 text-sm text-ink-muted">ชื่อโครงการบอกไม่พอว่าซื้ออะไร จึงหางานที่คล้ายกันไม่ได้</p>
  const apart = [
    without_reference > 0 && `ไม่มีราคากลาง ${countText(without_reference)} งาน`,
    without_clear_price > 0 && `หลายผู้ชนะหรือราคาสัญญาไม่ตรงกับที่ประกาศ ${countText(without_clear_price)} งาน`,
    'งานที่ยกเลิก',
  ].filter(Boolean)
  return (
    <>
      <p className="mt-0.5 text-sm text-ink-muted">
        เทียบกับ{scope} · <span className="tabular-nums">{countText(found)}</span> งานที่รู้ผล
        {found > n && ` ใช้ ${countText(n)} งานที่ใกล้ที่สุด`}
      </p>
      <p className="text-xs text-ink-faint">
        ไม่นับ {apart.join(' · ')}
        {above_reference > 0 && ` · นับงานที่ชนะสูงกว่าราคากลางด้วย ${countText(above_reference)} งาน`}
        {' · กิจการร่วมค้านับเป็นผู้ชนะรายเดียว'}
      </p>
      <Widening steps={steps} step={step} asked={asked} onStep={onStep} />
    </>
  )
}

type WideningProps = Pick<PriceScopeProps, 'asked' | 'onStep'> & {
  steps: SimilarPrices['steps']
  step: SimilarStep
}

function Widening({ steps, step, asked, onStep }: WideningProps) {
  const name = useId()
  const taken = steps.findIndex((one) => one.step === step)
  const added = steps.slice(1, taken + 1).map(({ text }) => text)
  const [first] = steps
  const enough = steps[taken]!.n >= ENOUGH_SIMILAR
  return (
    <>
      {(added.length > 0 || !enough) && (
        <p role="note" className="mt-2 rounded-control bg-updated-soft px-3 py-2 text-sm text-updated">
          {added.length > 0 && asked === undefined && (
            <>
              {first!.text}มีงานคล้ายกันเพียง {countText(first!.n)} งาน (น้อยกว่า {ENOUGH_SIMILAR}) จึงขยายเป็น{' '}
              {added.join(' → ')}
            </>
          )}
          {added.length > 0 && asked !== undefined && `ขยายแล้ว: ${added.join(' → ')}`}
          {!enough && ` มีเพียง ${countText(steps[taken]!.n)} งาน น้อยกว่า ${ENOUGH_SIMILAR} งาน อ่านอย่างระวัง`}
        </p>
      )}
      <fieldset className="mt-2 print:hidden">
        <legend className="text-xs text-ink-muted">ขอบเขตงานที่นำมาเทียบ แต่ละข้อรวมข้อบน</legend>
        {steps.map((one, at) => (
          <label
            key={one.step}
            className={classNames(
              'flex items-center gap-2 py-0.5 text-sm touch:min-h-11',
              at > taken && 'text-ink-muted',
              one.step === step && 'font-medium',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={one.step === step}
              onChange={() => onStep(one.step)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 flex-1">
              {at > 0 && '+ '}
              {one.text}
            </span>{' '}
            <span className="whitespace-nowrap text-ink-muted tabular-nums">{countText(one.n)} งาน</span>
          </label>
        ))}
        {asked !== undefined && (
          <button
            type="button"
            onClick={() => onStep(undefined)}
            className="rounded-control text-sm text-accent-ink hover:underline touch:min-h-11"
          >
            ให้ระบบเลือกขอบเขต
          </button>
        )}
      </fieldset>
    </>
  )
}
