import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useEffect } from 'react'
import type { Agency } from '#contract/market/agency.ts'
import { AGENCY_PARAMS, type AgencySearch } from '#contract/market/agency-params.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { parseAgencyUrlSegment, toAgencyUrlSegment } from '#src/lib/agency-url.ts'
import { classNames } from '#src/lib/class-names.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { type ChangeSearchFn, useSearchState } from '#src/lib/use-search-state.ts'
import { agencyProjectsQuery, agencyQuery } from '#src/market/api/agencies.ts'
import { AllOrOwnProjectsSwitch } from '#src/market/statistics-scope/figure-universe-switch.tsx'
import { FiscalYearRangeFields } from '#src/market/statistics-scope/fiscal-year-range-fields.tsx'
import {
  StatisticsPageForbidden,
  StatisticsPageSkeleton,
} from '#src/market/statistics-scope/statistics-page-states.tsx'
import { StatisticsScopeLine } from '#src/market/statistics-scope/statistics-scope-line.tsx'
import { WonProjects } from '#src/market/who-wins/won-projects.tsx'
import { useRefetchOnNewerData } from '#src/report/api/newest-data-time-store.ts'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { useScreenTitle } from '#src/shell/navigation/use-screen-title.ts'
import { Chip } from '#src/ui/chip.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { AgencyBlocks } from './agency-blocks.tsx'
import { AgencyHeader } from './agency-header.tsx'
import { AgencyPrintSheet } from './agency-print-sheet.tsx'
import { AgencyNotFound, NoAgencyPurchases } from './agency-states.tsx'
import { describeAgencyRowsFilter } from './describe-agency-rows-filter.ts'

const FIGURES = ['projects', 'value', 'winners', 'discount', 'days', 'open']
const route = getRouteApi('/_app/agencies/$code')

const useAgencyAddress = () => useSearchState<AgencySearch>(route.useSearch(), route.useNavigate())

export function AgencyPage() {
  const { code: codeOrName } = route.useParams()
  const { search, ignored, change } = useAgencyAddress()
  const agencyResult = useQuery(agencyQuery(codeOrName, search))
  const answer = agencyResult.data
  const problem = agencyResult.error instanceof ProblemError ? agencyResult.error.status : undefined
  useCanonicalAddress(codeOrName, search, agencyResult.isPlaceholderData ? undefined : answer)
  useRefetchOnNewerData(answer?.scope.computed_at, agencyResult.refetch)
  useScreenTitle(problem === 404 ? undefined : answer?.agency.name)
  const openRows = (rows: string) => change({ rows, page: undefined })

  if (problem === 404) return <AgencyNotFound codeOrName={parseAgencyUrlSegment(codeOrName)} />
  if (agencyResult.error && problem === 403)
    return (
      <StatisticsPageForbidden
        heading="หน่วยงาน"
        title="องค์กรของคุณยังไม่ได้เปิดใช้ข้อมูลบริษัทและหน่วยงาน"
        error={agencyResult.error}
      />
    )
  return (
    <>
      <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5 print:hidden">
        <AgencyTrail />
        <AgencyHeader codeOrName={codeOrName} answer={answer} search={search} />
        <AgencyScope search={search} change={change} answer={answer} />
        {answer && (
          <div className="flex flex-col gap-2">
            <StatisticsScopeLine scope={answer.scope} />
            <IgnoredParamsNotice params={AGENCY_PARAMS} ignored={ignored} />
          </div>
        )}
        <QueryView
          query={agencyResult}
          errorTitle="เปิดข้อมูลหน่วยงานไม่สำเร็จ"
          staleTitle="อัปเดตข้อมูลหน่วยงานไม่สำเร็จ ที่เห็นคือข้อมูลเดิม"
          skeleton={
            <StatisticsPageSkeleton
              label="กำลังเปิดข้อมูลหน่วยงาน"
              figures={FIGURES}
              columns="lg:grid-cols-3 xl:grid-cols-6"
              blocks={4}
            />
          }
        >
          {(answer) => (
            <div
              aria-busy={agencyResult.isPlaceholderData}
              className={classNames(
                'flex flex-col gap-4 transition-opacity',
                agencyResult.isPlaceholderData && 'opacity-60',
              )}
            >
              {answer.projects === 0 && <NoAgencyPurchases answer={answer} search={search} change={change} />}
              <AgencyBlocks answer={answer} search={search} change={change} openRows={openRows} />
            </div>
          )}
        </QueryView>
        {search.rows !== undefined && (
          <WonProjects
            rows={search.rows}
            title={describeAgencyRowsFilter(search.rows, answer)}
            queryOf={(page) => agencyProjectsQuery(codeOrName, search, page)}
            onClose={() => change({ rows: undefined }, 'replace')}
          />
        )}
      </div>
      {/* After the screen in DOM order, so that the visible heading gets the focus. */}
      {answer && <AgencyPrintSheet answer={answer} search={search} />}
    </>
  )
}

/** Back to where the agency was opened from: a project, a company, the search. A shared link has none. */
function AgencyTrail() {
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  const className =
    '-ml-1 inline-flex items-center gap-1 rounded-control px-1 text-ink-muted hover:text-ink hover:underline touch:min-h-11'
  return (
    <p>
      {canGoBack ? (
        <button type="button" onClick={() => history.back()} className={className}>
          <ChevronLeft aria-hidden className="size-4" />
          กลับ
        </button>
      ) : (
        <Link to="/report" className={className}>
          <ChevronLeft aria-hidden className="size-4" />
          รายงานโครงการ
        </Link>
      )}
    </p>
  )
}

type ScopeProps = { search: AgencySearch; change: ChangeSearchFn<AgencySearch>; answer: Agency | undefined }

/** Scope bar of the page. Changing the scope closes the open rows, which may not exist in another scope. */
function AgencyScope({ search, change, answer }: ScopeProps) {
  return (
    <section aria-label="ขอบเขตของตัวเลข" className="flex flex-wrap items-center gap-2 print:hidden">
      <AllOrOwnProjectsSwitch
        universe={search.scope === 'watch' ? 'watch' : 'all'}
        onChange={(universe) => change({ scope: universe === 'watch' ? universe : undefined, rows: undefined })}
      />
      <FiscalYearRangeFields
        search={search}
        years={answer?.years ?? []}
        onChange={(years) => change({ ...(years as Pick<typeof years, 'year_from' | 'year_to'>), rows: undefined })}
      />
      {search.unit !== undefined && (
        <Chip onRemove={() => change({ unit: undefined, rows: undefined })} removeLabel="ดูทุกหน่วยซื้อ">
          {search.unit}
        </Chip>
      )}
    </section>
  )
}

function useCanonicalAddress(codeOrName: string, search: AgencySearch, answer: Agency | undefined): void {
  const navigate = route.useNavigate()
  const right = answer && toAgencyUrlSegment(answer.agency)
  useEffect(() => {
    if (right === undefined || right === codeOrName) return
    queryClient.setQueryData(agencyQuery(right, search).queryKey, answer)
    void navigate({
      to: '/agencies/$code',
      params: { code: right },
      search: (now) => now,
      replace: true,
      resetScroll: false,
    })
  })
}
