import { useState } from 'react'
import { formatBaht, formatBahtCompact, parseThaiMoney } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { Button } from '#src/ui/button.tsx'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { TextField } from '#src/ui/form/text-field.tsx'
import type { PursuitSectionProps } from './pursuit-section-props.ts'

type PricePartProps = PursuitSectionProps & {
  estimate: number | null
  onCompare?: ((baht: number) => void) | undefined
}

export function PursuitPriceSection({ id, detail, settings, estimate, onCompare }: PricePartProps) {
  const { pursuit, outcome } = detail
  const price = pursuit?.price ?? null
  const save = (next: number | null) =>
    void patchPursuit(id, [{ action: 'set_price', price: next }], {
      failed: 'บันทึกราคาไม่สำเร็จ',
      done: next === null ? 'ลบราคาของเราแล้ว' : 'บันทึกราคาของเราแล้ว',
    })
  if (!settings.sees_price && !outcome) return null
  return (
    <div className="mt-3">
      {settings.sees_price && <PriceField key={String(price)} price={price} estimate={estimate} onSave={save} />}
      {settings.sees_price && price !== null && onCompare && (
        <Button variant="link" size="sm" onClick={() => onCompare(price)}>
          เทียบราคานี้กับงานคล้ายกัน
        </Button>
      )}
      {outcome && (
        <p className="mt-1 text-sm text-ink-muted">
          ผู้ชนะ {outcome.winner ?? 'ไม่ทราบชื่อ'}
          {outcome.price !== null && (
            <>
              {' '}
              <span className="font-medium text-ink tabular-nums">{formatBahtCompact(outcome.price)} บาท</span>
              {priceDifferenceText(outcome.price, estimate)}
            </>
          )}
        </p>
      )}
    </div>
  )
}

function priceDifferenceText(price: number, estimate: number | null): string {
  if (!estimate) return ''
  const share = 1 - price / estimate
  return share >= 0 ? ` ลด ${formatPercent(share)} จากราคากลาง` : ` สูงกว่าราคากลาง ${formatPercent(-share)}`
}

type PriceFieldProps = { price: number | null; estimate: number | null; onSave: (price: number | null) => void }

function PriceField({ price, estimate, onSave }: PriceFieldProps) {
  const formatted = price === null ? '' : formatBaht(price)
  const [text, setText] = useState(formatted)
  const entry = text.trim() === '' ? undefined : parseThaiMoney(text)
  const isWrong = entry !== undefined && !entry.ok
  const save = () => {
    if (isWrong || text === formatted) return
    const next = entry?.ok ? entry.baht : null
    if (next !== price) onSave(next)
  }
  return (
    <TextField
      label="ราคาที่เราจะเสนอ (บาท)"
      inputMode="decimal"
      autoComplete="off"
      placeholder="เช่น 11.48 ล้าน"
      value={text}
      error={isWrong ? 'พิมพ์เป็นจำนวนเงิน เช่น 11,480,000 หรือ 11.48 ล้าน' : undefined}
      hint={price !== null && !isWrong ? priceDifferenceText(price, estimate).trim() || undefined : undefined}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={createEntryKeyHandler({ onEnter: save })}
    />
  )
}
