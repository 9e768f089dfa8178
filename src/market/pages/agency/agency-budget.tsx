import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Agency } from '#contract/market/agency.ts'
import type { BudgetPageResponse } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatExpectedAnnouncement } from '#src/catalogue/announced-months/announced-months.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { budgetPageQuery, budgetSummaryQuery } from '#src/market/api/budgets.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'

const TITLE = 'งบที่ยังไม่ประกาศ'
const MAX_LISTED_ITEMS = 5
const LINK = 'rounded-control decoration-line-strong underline-offset-4 hover:underline'

/** Shows budgeted items not announced yet. Only for subscription packages with budget access. */
export function AgencyBudgetBlock({ budget }: { budget: Agency['budget'] }) {
  if (budget !== null) return <BudgetItemsCard place={budget} />
  return (
    <SectionCard title={TITLE}>
      <p className="py-6 text-center text-ink-muted">ไม่พบหน่วยรับงบประมาณชื่อนี้ในงบประมาณประจำปีที่ระบบมี</p>
    </SectionCard>
  )
}

function BudgetItemsCard({ place: { ministry, unit } }: { place: NonNullable<Agency['budget']> }) {
  const search: BudgetSearch = { scope: 'all', ministry, unit, state: ['none'], page_size: 20 }
  const today = useBangkokToday()
  const page = useQuery(budgetPageQuery(search))
  const { data: summary } = useQuery(budgetSummaryQuery(search))
  const scopeOf = ({ scope: { fiscal_year: year }, total, total_amount: amount }: BudgetPageResponse) => {
    const expected = summary && formatExpectedAnnouncement(summary.months, year, today)
    return (
      <>
        ปีงบประมาณ {year} · n={formatCount(total)} รายการ
        {amount !== null && total > 0 && ` รวม ${formatBahtCompact(amount)} บาท`}
        {expected && <span className="block">{expected} เป็นจังหวะที่ผ่านมา ไม่ใช่กำหนดการ</span>}
      </>
    )
  }
  return (
    <SectionCard title={TITLE} scope={page.data && scopeOf(page.data)}>
      <QueryView
        query={page}
        task="เปิดรายการงบประมาณ"
        barsClassName="flex flex-col gap-2"
        bars={['', 'w-3/4', 'w-1/2']}
      >
        {(data) => {
          const address = (item?: number) =>
            ({ year: data.scope.fiscal_year, scope: 'all', ministry, unit, state: ['none'], item }) as const
          return (
            <>
              {data.total === 0 ? (
                <p className="py-6 text-center text-ink-muted">ทุกรายการของปีนี้ประกาศแล้ว หรือปีนี้ไม่มีรายการของหน่วยงานนี้</p>
              ) : (
                <ul className="divide-y divide-line">
                  {data.results.slice(0, MAX_LISTED_ITEMS).map(({ id, description, amount, province }) => (
                    <li key={id} className="flex items-baseline justify-between gap-3 py-1.5">
                      <span className="min-w-0">
                        <Link to="/budget" search={address(id)} className={LINK}>
                          {description}
                        </Link>
                        {province && <span className="block text-xs text-ink-muted">{province}</span>}
                      </span>
                      <span className="shrink-0 tabular-nums">
                        {amount === null ? 'ไม่ทราบวงเงิน' : `${formatBahtCompact(amount)} บาท`}
                      </span>
                    </li>
                  ))}
                </ul>
              )}
              <p className="mt-2 print:hidden">
                <Link to="/budget" search={address()} className="text-accent-ink underline-offset-4 hover:underline">
                  ดูงบประมาณทั้งหมดของหน่วยงานนี้
                </Link>
              </p>
            </>
          )
        }}
      </QueryView>
    </SectionCard>
  )
}
