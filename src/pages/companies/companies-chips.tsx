import type { CompanySearch } from '#contract/company-params.ts'
import { ScopeChips } from '#src/features/figure-scope/scope-chips.tsx'
import { moneyRangeText } from '#src/lib/money-text.ts'
import { Chip } from '#src/ui/chip.tsx'
import type { CompaniesAddress } from './use-companies-address.ts'

type CompaniesChipsProps = Pick<CompaniesAddress, 'change' | 'clear'> & { search: CompanySearch }

/** Every filter in force, those of the scope first. */
export function CompaniesChips({ search, change, clear }: CompaniesChipsProps) {
  const { project_winner_name__in: names, company_value__range: range, check_sme, met } = search
  const own = [
    ...(names ?? []).map((name) => ({
      key: `name ${name}`,
      label: 'ชื่อ',
      text: name,
      onRemove: () => {
        const rest = names?.filter((other) => other !== name)
        change({ project_winner_name__in: rest?.length === 0 ? undefined : rest })
      },
    })),
    ...(range
      ? [
          {
            key: 'value',
            label: 'มูลค่าที่ชนะ',
            text: `${moneyRangeText(range)} บาท`,
            onRemove: () => change({ company_value__range: undefined }),
          },
        ]
      : []),
    ...(check_sme
      ? [{ key: 'sme', label: '', text: 'เฉพาะ SME', onRemove: () => change({ check_sme: undefined }) }]
      : []),
    ...(met ? [{ key: 'met', label: '', text: 'เคยพบกับเรา', onRemove: () => change({ met: undefined }) }] : []),
  ]
  return (
    <ScopeChips search={search} onChange={change} onClear={clear} others={own.length}>
      {own.map(({ key, label, text, onRemove }) => (
        <li key={key} className="max-w-full">
          <Chip
            {...(label === '' ? {} : { label })}
            removeLabel={`เอาตัวกรอง ${[label, text].filter(Boolean).join(' ')} ออก`}
            onRemove={onRemove}
          >
            {text}
          </Chip>
        </li>
      ))}
    </ScopeChips>
  )
}
