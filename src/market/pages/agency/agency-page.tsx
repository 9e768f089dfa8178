import { useQuery } from '@tanstack/react-query'
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import { CalendarSearch, ChevronLeft, SearchX } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { Agency } from '#contract/market/agency.ts'
import { AGENCY_PARAMS, isAgencyCode } from '#contract/market/agency-params.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { parseAgencyUrlSegment, toAgencyUrlSegment } from '#src/lib/agency-url.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { agencyProjectsQuery, agencyQuery, agencyUnusualAwardPatternsQuery } from '#src/market/api/agencies.ts'
import { AllOrOwnProjectsSwitch } from '#src/market/statistics-scope/all-or-own-projects-switch.tsx'
import { FiscalYearRangeFields } from '#src/market/statistics-scope/fiscal-year-range-fields.tsx'
import {
  StatisticsPageForbidden,
  StatisticsPageSkeleton,
} from '#src/market/statistics-scope/statistics-page-states.tsx'
import { StatisticsScopeLine } from '#src/market/statistics-scope/statistics-scope-line.tsx'
import { UnusualAwardPatternsCard } from '#src/market/unusual-award-patterns/unusual-award-patterns-card.tsx'
import { CompanyRanking } from '#src/market/who-wins/company-ranking.tsx'
import { WonProjects } from '#src/market/who-wins/won-projects.tsx'
import { useRefetchOnNewerData } from '#src/report/api/newest-data-time-store.ts'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { hasBudgetAccess } from '#src/shell/navigation/route-guard.ts'
import { useScreenTitle } from '#src/shell/navigation/use-screen-title.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Chip } from '#src/ui/chip.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SectionTabs, TabbedSection } from '#src/ui/section-tabs.tsx'
import { AgencyBudgetBlock } from './agency-budget.tsx'
import { AgencyFigures } from './agency-figures.tsx'
import { AgencyHeader } from './agency-header.tsx'
import { AgencyPrintSheet } from './agency-print-sheet.tsx'
import { AgencyProcurementTimes } from './agency-procurement-times.tsx'
import { AgencyPurchases, AgencyPurchasingUnits } from './agency-purchases.tsx'
import { describeAgencyRowsFilter } from './describe-agency-rows-filter.ts'
import { OwnHistoryWithAgency } from './own-history-with-agency.tsx'
import { useAgencyUrlState } from './use-agency-url-state.ts'

export function AgencyPage() {
  const { codeOrName, search, ignored, change } = useAgencyUrlState()
  const agencyResult = useQuery(agencyQuery(codeOrName, search))
  const answer = agencyResult.data
  const problem = agencyResult.error instanceof ProblemError ? agencyResult.error.status : undefined
  useCanonicalAddress(agencyResult.isPlaceholderData ? undefined : answer)
  useRefetchOnNewerData(answer?.scope.computed_at, agencyResult.refetch)
  useScreenTitle(problem === 404 ? undefined : answer?.agency.name)

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
        <AgencyHeader answer={answer} />
        <AgencyScope years={answer?.years ?? []} />
        {answer && (
          <div className="flex flex-col gap-2">
            <StatisticsScopeLine scope={answer.scope} />
            <IgnoredParamsNotice params={AGENCY_PARAMS} ignored={ignored} />
          </div>
        )}
        <QueryView
          query={agencyResult}
          task="เปิดข้อมูลหน่วยงาน"
          staleTitle="อัปเดตข้อมูลหน่วยงานไม่สำเร็จ ที่เห็นคือข้อมูลเดิม"
          skeleton={<StatisticsPageSkeleton label="กำลังเปิดข้อมูลหน่วยงาน" figures={6} blocks={4} />}
        >
          {(answer) => (
            <div
              aria-busy={agencyResult.isPlaceholderData}
              className="flex flex-col gap-4 transition-opacity aria-busy:opacity-60"
            >
              {answer.projects === 0 && <NoAgencyPurchases years={answer.years} />}
              <AgencyBlocks answer={answer} />
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
      {answer && <AgencyPrintSheet answer={answer} />}
    </>
  )
}

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

/** Scope bar of the page. Changing the scope closes the open rows, which may not exist in another scope. */
function AgencyScope({ years }: Pick<Agency, 'years'>) {
  const { search, change } = useAgencyUrlState()
  return (
    <section aria-label="ขอบเขตของตัวเลข" className="flex flex-wrap items-center gap-2 print:hidden">
      <AllOrOwnProjectsSwitch
        universe={search.scope === 'watch' ? 'watch' : 'all'}
        onChange={(universe) => change({ scope: universe === 'watch' ? universe : undefined, rows: undefined })}
      />
      <FiscalYearRangeFields
        search={search}
        years={years}
        onChange={(range) => change({ ...range, rows: undefined })}
      />
      {search.unit !== undefined && (
        <Chip onRemove={() => change({ unit: undefined, rows: undefined })} removeLabel="ดูทุกหน่วยซื้อ">
          {search.unit}
        </Chip>
      )}
    </section>
  )
}

function useCanonicalAddress(answer: Agency | undefined): void {
  const { navigate, codeOrName, search } = useAgencyUrlState()
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

function AgencyNotFound({ codeOrName }: { codeOrName: string }) {
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

function NoAgencyPurchases({ years }: Pick<Agency, 'years'>) {
  const { search, change } = useAgencyUrlState()
  const isNarrowed = search.year_from !== undefined || search.year_to !== undefined || search.unit !== undefined
  return (
    <EmptyCard
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
    </EmptyCard>
  )
}

const SECTIONS = [
  { name: 'figures', th: 'ตัวเลขหลัก' },
  { name: 'ours', th: 'เราและงบถัดไป' },
  { name: 'purchases', th: 'ซื้ออะไร เมื่อไร' },
  { name: 'winners', th: 'ซื้อจากใคร' },
] as const

const COLUMN = 'flex min-w-0 flex-col gap-4'

function AgencyBlocks({ answer }: { answer: Agency }) {
  const { search, change, openRows } = useAgencyUrlState()
  const organisation = useOrganisation()
  const user = useUser()
  const resetKey = `${answer.agency.code} ${answer.agency.name} ${JSON.stringify(search)}`
  const block = (title: string, content: ReactNode) => (
    <BlockErrorBoundary name={title} resetKey={resetKey}>
      {content}
    </BlockErrorBoundary>
  )
  const hasProjects = answer.projects > 0
  return (
    <>
      {hasProjects && (
        <>
          <SectionTabs sections={SECTIONS} />
          <TabbedSection name="figures">
            <AgencyFigures answer={answer} />
          </TabbedSection>
        </>
      )}
      <TabbedSection name="ours" className="grid gap-4 lg:grid-cols-2">
        {block('เรากับหน่วยงานนี้', <OwnHistoryWithAgency ours={answer.ours} />)}
        {hasBudgetAccess({ organisation, user }) &&
          block('งบที่ยังไม่ประกาศ', <AgencyBudgetBlock budget={answer.budget} />)}
      </TabbedSection>
      {hasProjects && (
        <>
          <TabbedSection name="purchases" className="grid gap-4 lg:grid-cols-2">
            <div className={COLUMN}>{block('ซื้ออะไร', <AgencyPurchases answer={answer} />)}</div>
            <div className={COLUMN}>{block('เวลา', <AgencyProcurementTimes answer={answer} />)}</div>
            <div className="min-w-0 lg:col-span-2">
              {block('หน่วยซื้อในสังกัด', <AgencyPurchasingUnits answer={answer} />)}
            </div>
          </TabbedSection>
          <TabbedSection name="winners">
            {block(
              'อันดับผู้ชนะ',
              <CompanyRanking
                answer={answer}
                rank={search.rank ?? 'value'}
                onRank={(rank) => change({ rank: rank === 'value' ? undefined : rank }, 'replace')}
                onOpen={openRows}
              />,
            )}
          </TabbedSection>
          {block(
            'ข้อสังเกต',
            <UnusualAwardPatternsCard
              query={agencyUnusualAwardPatternsQuery(toAgencyUrlSegment(answer.agency), search)}
              isMarket={search.scope !== 'watch'}
              openRows={openRows}
            />,
          )}
        </>
      )}
    </>
  )
}
