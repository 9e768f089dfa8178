import { Link } from '@tanstack/react-router'
import { type CompanySearch, figureScopeOf, MOST_COMPARED, printCompanySearch } from '#contract/company-params.ts'
import { useOrganisation } from '#src/api/organisations.ts'
import { countText } from '#src/lib/money-text.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { Chip } from '#src/ui/chip.tsx'
import type { CompaniesSelection } from './companies-selection.ts'

type CompareBarProps = { selection: CompaniesSelection; search: CompanySearch }

/** The companies that are ticked, and the way to their comparison in the same scope. */
export function CompareBar({ selection: { chosen, toggle, clear, isFull }, search }: CompareBarProps) {
  const { is_access_company_comparison: canCompare } = useOrganisation()
  const names = chosen.map(({ name, tax_id, is_shared_name }) => (is_shared_name && tax_id !== null ? tax_id : name))
  const query = printCompanySearch({ ...figureScopeOf(search), project_winner_name__in: names })
  return (
    <section
      aria-label="บริษัทที่เลือกไว้เปรียบเทียบ"
      className="sticky bottom-3 z-20 flex flex-wrap items-center gap-2 rounded-card border border-accent-line bg-surface px-3 py-2 shadow-float print:hidden"
    >
      <p role="status" className="font-medium">
        เลือกแล้ว {countText(chosen.length)} จาก {MOST_COMPARED}
        {isFull && <span className="sr-only"> ครบแล้ว</span>}
      </p>
      <ul className="flex min-w-0 flex-1 flex-wrap gap-1.5 max-md:hidden">
        {chosen.map((company) => (
          <li key={company.id} className="max-w-64">
            <Chip removeLabel={`ไม่เปรียบเทียบ ${company.name}`} onRemove={() => toggle(company)}>
              {company.name}
            </Chip>
          </li>
        ))}
      </ul>
      <Button look="quiet" onClick={clear} className="max-md:ml-auto">
        ยกเลิก
      </Button>
      {!canCompare ? (
        <p className="text-sm text-ink-muted">องค์กรของคุณยังไม่ได้เปิดใช้การเปรียบเทียบบริษัท</p>
      ) : chosen.length < 2 ? (
        <p className="text-sm text-ink-muted">เลือกอีกอย่างน้อย 1 บริษัท</p>
      ) : (
        <Link to="/company-comparison" search={query} className={buttonClasses('primary')}>
          เปรียบเทียบ {countText(chosen.length)} บริษัท
        </Link>
      )}
    </section>
  )
}
