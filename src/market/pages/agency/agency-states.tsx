import { Link } from '@tanstack/react-router'
import { CalendarSearch, SearchX } from 'lucide-react'
import type { Agency } from '#contract/market/agency.ts'
import { type AgencySearch, isAgencyCode } from '#contract/market/agency-params.ts'
import type { ChangeSearchFn } from '#src/lib/use-search-state.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'

export function AgencyNotFound({ codeOrName }: { codeOrName: string }) {
  const displayName = codeOrName.slice(0, 120)
  return (
    <>
      <h1 className="sr-only">ไม่พบหน่วยงานนี้</h1>
      <EmptyState
        icon={SearchX}
        title="ไม่พบหน่วยงานนี้"
        actions={
          <Link to="/report" className={getButtonClasses('primary')}>
            ไปรายงานโครงการ
          </Link>
        }
      >
        <p className="[overflow-wrap:anywhere]">
          {isAgencyCode(codeOrName)
            ? `ไม่มีหน่วยงานรหัส ${displayName} ในรายชื่อหน่วยงานที่ระบบมี ตรวจเลขอีกครั้ง หรือเปิดจากชื่อหน่วยงานแทน`
            : `ไม่มีหน่วยงานชื่อ “${displayName}” ทั้งในโครงการที่ระบบมีและในรายชื่อหน่วยงาน ตรวจตัวสะกดอีกครั้ง`}
        </p>
        <p className="mt-1">ค้นหน่วยงานด้วยบางส่วนของชื่อได้ที่ “ค้นหา” มุมบนของทุกหน้า บนมือถืออยู่แถบล่าง</p>
      </EmptyState>
    </>
  )
}

type NothingBoughtProps = { answer: Agency; search: AgencySearch; change: ChangeSearchFn<AgencySearch> }

export function NoAgencyPurchases({ answer: { years }, search, change }: NothingBoughtProps) {
  const isNarrowed = search.year_from !== undefined || search.year_to !== undefined || search.unit !== undefined
  return (
    <Card>
      <EmptyState
        icon={CalendarSearch}
        title={years.length === 0 ? 'ยังไม่มีโครงการของหน่วยงานนี้' : 'ไม่มีโครงการในขอบเขตนี้'}
        actions={
          <>
            {search.scope === 'watch' && years.length > 0 && (
              <Button size="sm" onClick={() => change({ scope: undefined })}>
                ดูทุกโครงการ
              </Button>
            )}
            {isNarrowed && (
              <Button
                size="sm"
                onClick={() => change({ year_from: undefined, year_to: undefined, unit: undefined, rows: undefined })}
              >
                ดูทุกปีและทุกหน่วยซื้อ
              </Button>
            )}
          </>
        }
      >
        {years.length === 0
          ? 'หน่วยงานนี้อยู่ในรายชื่อหน่วยงานของ e-GP แต่ข้อมูลที่ระบบมียังไม่มีโครงการของหน่วยงานนี้'
          : `มีโครงการในปีงบประมาณ ${years.join(', ')}`}
      </EmptyState>
    </Card>
  )
}
