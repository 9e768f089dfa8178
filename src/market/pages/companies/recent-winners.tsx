import { useQuery } from '@tanstack/react-query'
import type { RecentCompanyWins } from '#contract/market/company.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { withBahtUnit } from '#src/lib/figure-text.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { companyWinnersQuery } from '#src/market/api/companies.ts'
import { CompanyLink } from '#src/market/company-link.tsx'
import { formatDiscountFigure } from '#src/report/similar-prices/similar-prices-discount-bins.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { SkeletonCards } from '#src/ui/skeleton-card.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'

const ID = 'recent-winners'

export function focusRecentWinners() {
  const heading = document.getElementById(ID)
  heading?.scrollIntoView()
  heading?.focus({ preventScroll: true })
}

export function RecentWinners() {
  const winners = useQuery(companyWinnersQuery)
  const { data } = winners
  return (
    <section aria-labelledby={ID} className="mt-4 flex flex-col gap-2 print:hidden">
      <h2
        id={ID}
        tabIndex={-1}
        className="flex scroll-mt-16 outline-none flex-wrap items-baseline gap-x-2 font-semibold"
      >
        ผู้ชนะในรายงานของเรา 7 วันที่ผ่านมา
        {data && (
          <span className="text-sm font-normal text-ink-muted tabular-nums">
            {data.from_date !== null && data.to_date !== null
              ? `${formatThaiDateShort(data.from_date)} – ${formatThaiDateShort(data.to_date)} · `
              : ''}
            {formatCount(data.total)} โครงการ
            {data.results.length < data.total && ` แสดง ${formatCount(data.results.length)} ล่าสุด`}
          </span>
        )}
      </h2>
      <QueryView
        query={winners}
        task="โหลดผู้ชนะล่าสุด"
        notesStale
        skeleton={
          <SkeletonGroup label="กำลังโหลดผู้ชนะล่าสุด" className="flex gap-3 overflow-hidden">
            <SkeletonCards count={4} bars={['w-3/4', 'w-full', 'w-1/2']} className="w-72 shrink-0 gap-2.5 p-3" />
          </SkeletonGroup>
        }
        isEmpty={({ results }) => results.length === 0}
        empty={<p className="text-ink-muted">ใน 7 วันนี้ยังไม่มีการประกาศผู้ชนะในโครงการที่ตรงกับคำติดตาม</p>}
      >
        {({ results }) => (
          <ul
            tabIndex={0}
            aria-label="ผู้ชนะล่าสุด เลื่อนได้"
            className="-mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-1 lg:-mx-5 lg:scroll-px-5 lg:px-5"
          >
            {/* A project may have several winners, and all natural persons have the same masked name. */}
            {withReactKeys(results, ({ project_id }) => project_id).map(({ key, item: winner }) => (
              <WinnerCard key={key} winner={winner} />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  )
}

function WinnerCard({ winner }: { winner: RecentCompanyWins['results'][number] }) {
  const { company, winner_name, project_id, project_name, dept_name, value, decided_date, discount, is_new } = winner
  return (
    <Card as="li" className="flex w-72 shrink-0 snap-start flex-col gap-1 p-3">
      <div className="flex items-start justify-between gap-2">
        <p className="line-clamp-2 min-w-0 font-medium">
          {company ? (
            <CompanyLink company={company} search={{}}>
              {truncateName(company.name)}
            </CompanyLink>
          ) : (
            winner_name
          )}
        </p>
        {is_new && <Badge tone="new">รายใหม่</Badge>}
      </div>
      <p className="line-clamp-2 text-sm">
        <ProjectLink id={project_id}>{project_name}</ProjectLink>
      </p>
      <p className="truncate text-xs text-ink-muted" title={dept_name}>
        {dept_name}
      </p>
      <p className="mt-auto flex flex-wrap items-baseline justify-between gap-x-2 pt-1 tabular-nums">
        <span className="font-medium">
          {value === null ? <UnknownValue /> : withBahtUnit(formatBahtCompact(value))}
        </span>
        <span className="text-xs text-ink-muted">
          {discount &&
            `${discount.rate >= 0 ? 'ลด' : 'เกิน'} ${formatDiscountFigure(Math.abs(discount.rate))}${discount.against === 'budget' ? ' เทียบงบ' : ''} · `}
          {decided_date === null ? 'ไม่ทราบวันที่' : formatThaiDateShort(decided_date)}
        </span>
      </p>
    </Card>
  )
}
