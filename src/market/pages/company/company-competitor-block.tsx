import { Link } from '@tanstack/react-router'
import { Scale, UsersRound } from 'lucide-react'
import type { CompanyDetail, CompanyRef } from '#contract/market/company.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { CompanyLink } from '#src/market/company-link.tsx'
import { StatisticProjectsCount } from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'
import { DataList, DataTable, type DataTableColumn } from '#src/ui/data-table.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'
import { buildComparisonSearch } from './related-searches.ts'
import { useCompanyUrlState } from './use-company-url-state.ts'

function gapText(gap: number): string {
  if (Math.abs(gap) < 0.0005) return 'เท่ากัน'
  return `${gap > 0 ? 'สูงกว่า' : 'ต่ำกว่า'} ${formatPercent(Math.abs(gap))}`
}

type Competitor = CompanyDetail['competitors'][number]

const PHONE = '(width < 48rem)'
const MAX_COMPETITORS = 20

export function CompanyCompetitorBlock({ detail }: { detail: CompanyDetail }) {
  const { competitors, scope } = detail
  const isPhone = useMediaQuery(PHONE)
  const { visibleItems: visibleCompetitors, moreButton } = useCollapsedList(competitors, 'ราย', isPhone ? 5 : 10)
  const knownCount = scope.coverage.full + scope.coverage.names
  const table = {
    caption: 'ผู้ยื่นเสนอราคาที่พบกับบริษัทนี้ พบบ่อยที่สุดก่อน',
    columns: useCompetitorColumns(detail.company),
    rows: visibleCompetitors,
    getKey: ({ company }: Competitor) => company.id,
  }
  return (
    <SectionCard
      title="คู่แข่ง"
      scope={
        <>
          รู้รายชื่อผู้ยื่นครบ {formatCount(knownCount)} จาก {formatCount(scope.n)} โครงการ นับเฉพาะโครงการที่รู้รายชื่อ
          {competitors.length === MAX_COMPETITORS && ` · ${MAX_COMPETITORS} รายที่พบบ่อยที่สุด`}
        </>
      }
    >
      {competitors.length === 0 ? (
        <EmptyState icon={UsersRound} title={knownCount === 0 ? 'รู้เฉพาะผู้ชนะ จึงไม่รู้ว่าพบใคร' : 'ไม่พบผู้ยื่นรายอื่น'}>
          {knownCount === 0
            ? 'ข้อมูลในขอบเขตนี้ไม่มีรายชื่อผู้ยื่นเสนอราคา เทียบงานที่ชนะกับรายอื่นได้ในหน้าเปรียบเทียบ'
            : 'ในโครงการที่รู้รายชื่อผู้ยื่น บริษัทนี้ยื่นเพียงรายเดียว'}
        </EmptyState>
      ) : isPhone ? (
        <DataList {...table} />
      ) : (
        <DataTable {...table} frame="overflow-x-auto" />
      )}
      {moreButton}
    </SectionCard>
  )
}

function useCompetitorColumns(ownCompany: CompanyRef): readonly DataTableColumn<Competitor>[] {
  const { search, openRows } = useCompanyUrlState()
  const { is_access_company_comparison: mayCompare } = useOrganisation()
  const meetings = (head: string, result: 'met' | 'we_won' | 'they_won' | 'others_won') => ({
    head,
    isNumeric: true,
    cell: ({ company, [result]: count }: Competitor) => (
      <StatisticProjectsCount
        onOpen={() => openRows(result === 'met' ? `with:${company.id}` : `with:${company.id}:${result}`)}
        of={`พบกับ ${company.name} ${head}`}
        count={count}
      />
    ),
  })
  return [
    {
      head: 'บริษัท',
      className: 'min-w-48',
      cell: ({ company }) => (
        <CompanyLink company={company} search={search}>
          {truncateName(company.name)}
        </CompanyLink>
      ),
    },
    meetings('พบกัน', 'met'),
    meetings('บริษัทนี้ชนะ', 'we_won'),
    meetings('คู่แข่งชนะ', 'they_won'),
    meetings('รายอื่นชนะ', 'others_won'),
    { head: 'ราคาของคู่แข่ง', isNumeric: true, cell: (competitor) => <Gap competitor={competitor} /> },
    {
      head: 'พบล่าสุด',
      isNumeric: true,
      cell: ({ last_met_date }) => formatOrUnknown(last_met_date, formatThaiDateShortOrOriginal),
    },
    ...(mayCompare
      ? [
          {
            head: 'เปรียบเทียบ',
            isHeadHidden: true,
            isNumeric: true,
            cell: ({ company }: Competitor) => (
              <Link
                to="/company-comparison"
                search={buildComparisonSearch([ownCompany, company], search)}
                className={getButtonClasses('quiet', 'sm', '-mx-2 print:hidden')}
              >
                <Scale aria-hidden className="size-4 shrink-0" />
                เปรียบเทียบ<span className="sr-only"> กับ {company.name}</span>
              </Link>
            ),
          },
        ]
      : []),
  ]
}

function Gap({ competitor: { mean_gap, n_gap } }: { competitor: Competitor }) {
  if (mean_gap === null) return <UnknownValue />
  return (
    <>
      {gapText(mean_gap)} <span className="text-xs text-ink-muted">n={formatCount(n_gap)}</span>
    </>
  )
}
