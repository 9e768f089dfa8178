import { useId } from 'react'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { formatBaht, parseThaiMoney, formatCount } from '#contract/thai/thai-number.ts'
import { ThaiShorthandInputField, type ThaiShorthandParseResult } from '#src/report/filter/shorthand-input-field.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import type { ChangeCompaniesSearchFn } from './use-companies-url-state.ts'

export function CompaniesFilters({ search, change }: { search: CompanySearch; change: ChangeCompaniesSearchFn }) {
  const id = useId()
  const { company_value__range: range } = search
  const setSide = (side: 'min' | 'max', value: number | null) => {
    const next = { min: range?.min ?? null, max: range?.max ?? null, [side]: value }
    const [min, max] =
      next.min !== null && next.max !== null && next.min > next.max ? [next.max, next.min] : [next.min, next.max]
    change({ company_value__range: min === null && max === null ? undefined : { min, max } })
  }
  const field = (side: 'min' | 'max', label: string) => {
    const value = range?.[side] ?? null
    return (
      <ThaiShorthandInputField<number>
        label={`มูลค่าที่ชนะ${label} (บาท)`}
        placeholder={label}
        displayValue={value === null ? '' : formatCount(value)}
        parse={understandMoney}
        onCommit={(baht) => setSide(side, baht)}
        className="w-32 max-md:flex-1"
      />
    )
  }
  return (
    <>
      <fieldset aria-labelledby={id} className="flex items-start gap-1.5">
        <span id={id} className="flex h-9 items-center whitespace-nowrap text-ink-muted touch:h-11">
          มูลค่าที่ชนะ
        </span>
        {field('min', 'ต่ำสุด')}
        {field('max', 'สูงสุด')}
      </fieldset>
      <Checkbox
        checked={search.check_sme === true}
        onChange={(on) => change({ check_sme: on ? true : undefined })}
        className="items-center!"
      >
        เฉพาะ SME
      </Checkbox>
      <span title="เคยยื่นเสนอราคาในโครงการที่คุณติดดาว">
        <Checkbox
          checked={search.met === true}
          onChange={(on) => change({ met: on ? true : undefined })}
          className="items-center!"
        >
          เคยพบกับเรา
        </Checkbox>
      </span>
    </>
  )
}

function understandMoney(text: string): ThaiShorthandParseResult<number> {
  const entry = parseThaiMoney(text)
  if (!entry.ok) return { ok: false, message: entry.message }
  const isPlain = text.replaceAll(',', '').trim() === String(entry.baht)
  return { ok: true, value: entry.baht, echo: isPlain ? undefined : `${formatBaht(entry.baht)} บาท` }
}
