import { Link } from '@tanstack/react-router'
import { Building2, FilterX, Lock, SearchX } from 'lucide-react'
import type { CompanyList } from '#contract/company.ts'
import type { CompanySearch } from '#contract/company-params.ts'
import { errorText } from '#src/api/problem-error.ts'
import { countText } from '#src/lib/money-text.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { CompanyLink } from './company-link.tsx'
import type { CompaniesAddress } from './use-companies-address.ts'

type CompaniesEmptyProps = Pick<CompaniesAddress, 'change' | 'clear'> & { list: CompanyList; search: CompanySearch }

/** Why there are no rows, and what to do: four different reasons, four different screens. */
export function CompaniesEmpty({ list, search, change, clear }: CompaniesEmptyProps) {
  const { total, page, page_size: size, similar, scope } = list
  if (total > 0) {
    const last = Math.ceil(total / size)
    return (
      <EmptyState
        icon={SearchX}
        title={`ไม่มีหน้า ${countText(page)}`}
        actions={
          <Button onClick={() => change({ page: last === 1 ? undefined : last })}>
            ไปหน้าสุดท้าย ({countText(last)})
          </Button>
        }
      >
        รายการนี้มี {countText(total)} บริษัท ถึงหน้า {countText(last)}
      </EmptyState>
    )
  }
  const names = search.project_winner_name__in
  if (names) {
    return (
      <EmptyState
        icon={SearchX}
        title="ไม่พบบริษัทชื่อนี้"
        actions={
          <>
            <Button look="primary" onClick={() => change({ project_winner_name__in: undefined })}>
              ล้างคำค้น
            </Button>
            <Button onClick={clear}>ล้างตัวกรองทั้งหมด</Button>
          </>
        }
      >
        ในขอบเขตที่เลือกไม่มีชื่อหรือเลขประจำตัวผู้เสียภาษีที่มี {names.map((name) => `“${name}”`).join(' หรือ ')}
        {similar.length > 0 && (
          <>
            <p className="mt-3 font-medium text-ink">ใกล้เคียง:</p>
            <ul className="mt-1 space-y-1">
              {similar.map((company) => (
                // Outside the scope that found nothing: their page opens over everything.
                <li key={company.id}>
                  <CompanyLink company={company} search={{}} className="text-accent-ink">
                    {company.name}
                  </CompanyLink>
                </li>
              ))}
            </ul>
          </>
        )}
      </EmptyState>
    )
  }
  if (scope.computed_at === null) {
    return (
      <EmptyState icon={Building2} title="ยังไม่มีข้อมูลบริษัท">
        รายชื่อบริษัทจะมาพร้อมกับการนำเข้าโครงการครั้งแรก
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={FilterX}
      title="ไม่มีบริษัทที่ตรงกับตัวกรองทั้งหมดนี้"
      actions={
        <>
          {search.scope === 'watch' && (
            <Button look="primary" onClick={() => change({ scope: undefined })}>
              ดูทุกโครงการ
            </Button>
          )}
          <Button onClick={clear}>ล้างตัวกรองทั้งหมด</Button>
        </>
      }
    >
      {scope.n === 0 ? 'ขอบเขตที่เลือกยังไม่มีโครงการที่รู้ผู้ชนะหรือผู้ยื่น' : 'เอาตัวกรองออกทีละตัว หรือล้างทั้งหมดเพื่อเริ่มใหม่'}
    </EmptyState>
  )
}

/** The organisation's package was changed while the page was open; on entering, the guard leads elsewhere. */
export function CompaniesForbidden({ error }: { error: Error }) {
  return (
    <EmptyState
      icon={Lock}
      title="องค์กรของคุณยังไม่ได้เปิดใช้ข้อมูลบริษัท"
      actions={
        <Link to="/report" className={buttonClasses('primary')}>
          ไปรายงานโครงการ
        </Link>
      }
    >
      {errorText(error)}
    </EmptyState>
  )
}
