import { Plus, UserRound, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { CompanyRef } from '#contract/market/company.ts'
import { MAX_COMPARED_COMPANIES } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from '#src/ui/button.tsx'
import { getChartColourClasses } from '#src/ui/chart/chart-tone.ts'
import { AddComparedCompanyBox } from './add-company-box.tsx'
import { CompanyPageLink } from './block/company-page-link.tsx'
import { abbreviateLegalForm, type ComparisonCompany } from './scope/comparison-company.ts'
import { type ComparisonUrlState, toCompanyParam } from './scope/use-comparison-url-state.ts'

type CompanyChipsProps = {
  address: Pick<ComparisonUrlState, 'names' | 'search' | 'change' | 'compare'>
  companies: readonly ComparisonCompany[]
  unknown: ReadonlySet<string>
  children?: ReactNode
}

export function CompanyChips({ address, companies, unknown, children }: CompanyChipsProps) {
  const { names, search, change, compare } = address
  const add = (company: CompanyRef) => compare([...names, toCompanyParam(company)])
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <ul aria-label="บริษัทที่เปรียบเทียบ" className="contents">
        {names.map((name) => (
          <li key={name} className="min-w-0 max-w-full">
            <CompanyChip
              name={name}
              company={companies.find(({ asked: askedName }) => askedName === name)}
              isUnknown={unknown.has(name)}
              isUs={search.us === name}
              onUs={() => change({ us: search.us === name ? undefined : name })}
              onRemove={() => compare(names.filter((otherName) => otherName !== name))}
            />
          </li>
        ))}
      </ul>
      {names.length < MAX_COMPARED_COMPANIES && <AddCompany chosen={companies} onAdd={add} />}
      {children}
    </div>
  )
}

type CompanyChipProps = {
  name: string
  company: ComparisonCompany | undefined
  isUnknown: boolean
  isUs: boolean
  onUs: () => void
  onRemove: () => void
}

const IN_CHIP = 'inline-flex h-7 min-w-7 shrink-0 items-center justify-center rounded-control touch:h-11 touch:min-w-11'

function CompanyChip({ name, company, isUnknown, isUs, onUs, onRemove }: CompanyChipProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded-control border border-line-strong bg-surface-muted py-0.5 pr-1 pl-2.5 touch:py-0">
      <span
        aria-hidden
        className={classNames(
          'mr-1 size-2.5 shrink-0 rounded-full',
          company ? getChartColourClasses(company.tone).background : 'border border-ink-faint',
        )}
      />
      <span className="min-w-0 truncate py-0.5" title={company?.name ?? name}>
        {company ? <CompanyPageLink company={company}>{abbreviateLegalForm(company.name)}</CompanyPageLink> : name}
        {isUnknown && <span className="text-urgent"> (ไม่พบ)</span>}
      </span>
      {company && (
        <button
          type="button"
          aria-pressed={isUs}
          aria-label={`${name} คือบริษัทของเรา`}
          title={isUs ? 'บริษัทของเรา' : 'ตั้งเป็นบริษัทของเรา'}
          onClick={onUs}
          className={classNames(
            IN_CHIP,
            'print:hidden',
            isUs ? 'bg-accent px-1.5 text-xs text-on-accent' : 'text-ink-faint hover:text-ink',
          )}
        >
          {isUs ? 'เรา' : <UserRound aria-hidden className="size-3.5" />}
        </button>
      )}
      <button
        type="button"
        aria-label={`เอา ${name} ออก`}
        onClick={onRemove}
        className={classNames(IN_CHIP, 'text-ink-muted hover:text-ink print:hidden')}
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}

type AddCompanyProps = { chosen: readonly ComparisonCompany[]; onAdd: (company: CompanyRef) => void }

function AddCompany({ chosen, onAdd }: AddCompanyProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    setTimeout(() => button.current?.focus())
  }
  const opener = (
    <Button ref={button} variant="link" icon={Plus} className="print:hidden" onClick={() => setOpen(true)}>
      เพิ่มบริษัท
    </Button>
  )
  if (!open) return opener
  return (
    <AddComparedCompanyBox
      chosen={chosen.map(({ id }) => id)}
      onAdd={(company) => {
        onAdd(company)
        close()
      }}
      onClose={close}
    />
  )
}
