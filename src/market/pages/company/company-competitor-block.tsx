import { Link } from '@tanstack/react-router'
import { Scale, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { type CompanySearch, toStatisticsScopeSearch } from '#contract/market/company-params.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { classNames } from '#src/lib/class-names.ts'
import { buildCompanyTaxIdParam } from '#src/lib/company-url.ts'
import { formatCountWithSeparators, formatPercent } from '#src/lib/figure-text.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { StatisticProjectsCount } from '#src/market/statistics-scope/show-project-rows-button.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import type { CompanyBlockProps } from './company-block-props.ts'
import { buildComparisonSearch } from './related-searches.ts'

type CompanyLinkProps = {
  company: Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>
  search: CompanySearch
}

function CompanyLink({ company, search }: CompanyLinkProps) {
  return (
    <Link
      to="/companies/$name"
      params={{ name: encodeNameForUrlPath(company.name) }}
      search={{ ...toStatisticsScopeSearch(search), ...buildCompanyTaxIdParam(company) }}
      className="rounded-control decoration-line-strong underline-offset-4 hover:underline"
    >
      {truncateName(company.name)}
    </Link>
  )
}

function gapText(gap: number): string {
  if (Math.abs(gap) < 0.0005) return 'เท่ากัน'
  return `${gap > 0 ? 'สูงกว่า' : 'ต่ำกว่า'} ${formatPercent(Math.abs(gap))}`
}

type Competitor = CompanyBlockProps['detail']['competitors'][number]

const PHONE = '(width < 48rem)'
const MAX_COMPETITORS = 20
const INITIAL_ROWS = { phone: 5, desk: 10 } as const

export function CompanyCompetitorBlock(props: CompanyBlockProps) {
  const { coverage, n } = props.detail.scope
  const { competitors } = props.detail
  const isPhone = useMediaQuery(PHONE)
  const [isWhole, setIsWhole] = useState(false)
  const visibleCompetitors = isWhole
    ? competitors
    : competitors.slice(0, isPhone ? INITIAL_ROWS.phone : INITIAL_ROWS.desk)
  const knownCount = coverage.full + coverage.names
  return (
    <Card as="section" aria-labelledby="competitors" className="min-w-0 p-4 lg:p-5">
      <h2 id="competitors" className="text-lg font-semibold">
        คู่แข่ง
      </h2>
      <p className="text-xs text-ink-muted tabular-nums">
        รู้รายชื่อผู้ยื่นครบ {formatCountWithSeparators(knownCount)} จาก {formatCountWithSeparators(n)} โครงการ
        นับเฉพาะโครงการที่รู้รายชื่อ
        {competitors.length === MAX_COMPETITORS && ` · ${MAX_COMPETITORS} รายที่พบบ่อยที่สุด`}
      </p>
      {competitors.length === 0 ? (
        <EmptyState icon={UsersRound} title={knownCount === 0 ? 'รู้เฉพาะผู้ชนะ จึงไม่รู้ว่าพบใคร' : 'ไม่พบผู้ยื่นรายอื่น'}>
          {knownCount === 0
            ? 'ข้อมูลในขอบเขตนี้ไม่มีรายชื่อผู้ยื่นเสนอราคา เทียบงานที่ชนะกับรายอื่นได้ในหน้าเปรียบเทียบ'
            : 'ในโครงการที่รู้รายชื่อผู้ยื่น บริษัทนี้ยื่นเพียงรายเดียว'}
        </EmptyState>
      ) : isPhone ? (
        <ul className="mt-2 divide-y divide-line">
          {visibleCompetitors.map((competitor) => (
            <CompetitorItem key={competitor.company.id} competitor={competitor} {...props} />
          ))}
        </ul>
      ) : (
        <CompetitorTable {...props} competitors={visibleCompetitors} />
      )}
      {visibleCompetitors.length < competitors.length && (
        <Button size="sm" className="mt-3 print:hidden" onClick={() => setIsWhole(true)}>
          แสดงอีก {formatCountWithSeparators(competitors.length - visibleCompetitors.length)} ราย
        </Button>
      )}
    </Card>
  )
}

const HEADS = ['พบกัน', 'บริษัทนี้ชนะ', 'คู่แข่งชนะ', 'รายอื่นชนะ', 'ราคาของคู่แข่ง', 'พบล่าสุด'] as const

function CompetitorTable({ competitors, ...props }: CompanyBlockProps & { competitors: readonly Competitor[] }) {
  return (
    <div className="mt-2 overflow-x-auto">
      <table className="w-full text-table tabular-nums">
        <caption className="sr-only">ผู้ยื่นเสนอราคาที่พบกับบริษัทนี้ พบบ่อยที่สุดก่อน</caption>
        <thead className="border-b border-line text-xs text-ink-muted">
          <tr>
            <th scope="col" className="py-1.5 pr-2 text-left font-medium">
              บริษัท
            </th>
            {HEADS.map((head) => (
              <th key={head} scope="col" className="px-2 py-1.5 text-right font-medium whitespace-nowrap">
                {head}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {competitors.map((competitor) => (
            <tr key={competitor.company.id} className="border-b border-line last:border-0">
              <th scope="row" className="min-w-48 py-1.5 pr-2 text-left font-normal">
                <CompanyLink company={competitor.company} search={props.search} />
              </th>
              {meetingFigures(competitor, props.openRows).map(({ result, cell }) => (
                <td key={result} className="px-2 py-1.5 text-right">
                  {cell}
                </td>
              ))}
              <td className="px-2 py-1.5 text-right whitespace-nowrap">
                <Gap competitor={competitor} />
              </td>
              <td className="px-2 py-1.5 text-right whitespace-nowrap">
                {formatOrUnknown(competitor.last_met_date, formatThaiDateShortOrOriginal)}
              </td>
              <td className="py-1 pl-2 text-right">
                <CompareLink competitor={competitor} {...props} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function CompetitorItem({ competitor, ...props }: CompanyBlockProps & { competitor: Competitor }) {
  const { company, last_met_date } = competitor
  return (
    <li className="py-3 tabular-nums">
      <CompanyLink company={company} search={props.search} />
      <dl className="mt-1 grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
        {meetingFigures(competitor, props.openRows).map(({ result, name, cell }) => (
          <Fact key={result} name={name}>
            {cell}
          </Fact>
        ))}
        <Fact name="ราคาของคู่แข่ง" wide>
          <Gap competitor={competitor} />
        </Fact>
        <Fact name="พบล่าสุด" wide>
          {formatOrUnknown(last_met_date, formatThaiDateShortOrOriginal)}
        </Fact>
      </dl>
      <CompareLink competitor={competitor} {...props} />
    </li>
  )
}

function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={classNames('flex items-baseline justify-between gap-2', wide && 'col-span-2')}>
      <dt className="text-ink-muted">{name}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  )
}

function meetingFigures({ company, met, ...outcomes }: Competitor, openRows: CompanyBlockProps['openRows']) {
  const figures = [
    { result: 'met', name: 'พบกัน', count: met },
    { result: 'we_won', name: 'บริษัทนี้ชนะ', count: outcomes.we_won },
    { result: 'they_won', name: 'คู่แข่งชนะ', count: outcomes.they_won },
    { result: 'others_won', name: 'รายอื่นชนะ', count: outcomes.others_won },
  ]
  return figures.map(({ result, name, count }) => {
    const rows = result === 'met' ? `with:${company.id}` : `with:${company.id}:${result}`
    return {
      result,
      name,
      cell: <StatisticProjectsCount onOpen={() => openRows(rows)} of={`พบกับ ${company.name} ${name}`} count={count} />,
    }
  })
}

function Gap({ competitor: { mean_gap, n_gap } }: { competitor: Competitor }) {
  if (mean_gap === null) return <UnknownValue />
  return (
    <>
      {gapText(mean_gap)} <span className="text-xs text-ink-muted">n = {formatCountWithSeparators(n_gap)}</span>
    </>
  )
}

function CompareLink({ competitor, detail, search }: CompanyBlockProps & { competitor: Competitor }) {
  const { is_access_company_comparison: mayCompare } = useOrganisation()
  if (!mayCompare) return null
  return (
    <Link
      to="/company-comparison"
      search={buildComparisonSearch([detail.company, competitor.company], search)}
      className={getButtonClasses('quiet', 'sm', '-mx-2.5 print:hidden')}
    >
      <Scale aria-hidden className="size-4 shrink-0" />
      เปรียบเทียบ<span className="sr-only"> กับ {competitor.company.name}</span>
    </Link>
  )
}
