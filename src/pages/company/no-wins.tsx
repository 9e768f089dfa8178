import { Link } from '@tanstack/react-router'
import { CalendarSearch } from 'lucide-react'
import type { CompanyDetail } from '#contract/company.ts'
import { companyNamePart } from '#src/lib/company-address.ts'
import { buttonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import type { CompanyAddress } from './use-company-address.ts'

type NoWinsProps = { detail: CompanyDetail } & Pick<CompanyAddress, 'searchAfter'>

/** Nothing was won in the scope: says in which years there is something, and leads there. */
export function NoWins({ detail: { company, years, scope, figures }, searchAfter }: NoWinsProps) {
  const bids = figures.bids?.bids ?? 0
  return (
    <Card>
      <EmptyState
        icon={CalendarSearch}
        title="ไม่มีงานที่ชนะในปีเหล่านี้"
        actions={years.map((year) => (
          <Link
            key={year}
            to="/companies/$name"
            params={{ name: companyNamePart(company.name) }}
            search={searchAfter({ year_from: year, year_to: year, rows: undefined })}
            className={buttonClasses('secondary', 'sm')}
          >
            ปี {year}
          </Link>
        ))}
      >
        {bids > 0 && <p>ยื่นเสนอราคา {bids} โครงการแต่ไม่ชนะ ดูรายการด้านล่าง</p>}
        {years.length > 0 ? (
          <p>มีข้อมูลปี {years.join(', ')}</p>
        ) : (
          <p>ยังไม่มีข้อมูลของบริษัทนี้{scope.universe === 'watch' ? 'ในโครงการของเรา ลองดูทุกโครงการ' : 'ในปีใดเลย'}</p>
        )}
      </EmptyState>
    </Card>
  )
}
