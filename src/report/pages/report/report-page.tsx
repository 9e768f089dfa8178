import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { ArrowLeft, Share2 } from 'lucide-react'
import { useState } from 'react'
import { getBudgetSliderMaxima } from '#contract/account/organisation.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import { REPORT_DEFAULT_PAGE_SIZE, REPORT_PERSONAL_PARAMS, type ReportSearch } from '#contract/report/report-params.ts'
import type { ReportView } from '#contract/report/report-view.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { qualificationsQuery } from '#src/account/api/qualifications.ts'
import { useUser } from '#src/account/api/users.ts'
import { DataFreshnessLine } from '#src/catalogue/data-freshness/data-freshness-line.tsx'
import { clearReportFilters, listFiltersExceptBidStateSegment } from '#src/lib/bid-segment.ts'
import { classNames } from '#src/lib/class-names.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import type { ChangeReportSearchFn, ReportSearchPatch } from '#src/lib/report-change.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { useServerTime } from '#src/lib/use-server-time.ts'
import { MatchingFailedNotice, MatchingInProgressNotice } from '#src/matching/matching-progress/matching-notice.tsx'
import { useNewerDataTime } from '#src/report/api/newest-data-time-store.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import { useReportRowViewers } from '#src/report/api/use-project-viewers.ts'
import { ReportColumnPresetOffer } from '#src/report/columns/column-preset-offer.tsx'
import { ReportExportDialogHost } from '#src/report/export/export-panel.tsx'
import { recordSeenProject } from '#src/report/first-steps/first-steps-store.ts'
import { FirstStepsStrip } from '#src/report/first-steps/first-steps-strip.tsx'
import { buildFitOrderPatch } from '#src/report/fit/build-fit-order-patch.ts'
import { FitOrderStrip } from '#src/report/fit/fit-order-strip.tsx'
import { HiddenProjectsNotice } from '#src/report/hidden-projects/hidden-projects-notice.tsx'
import { LabelPanelHost } from '#src/report/labels/label-panel.tsx'
import { copyReportLink } from '#src/report/link/copy-report-link.ts'
import {
  buildProjectRowDisplayData,
  ProjectRowDisplayContext,
  StarredIdsContext,
} from '#src/report/project-row/project-row-display-data.ts'
import { SEARCH_PARAMS } from '#src/report/search/search-field.ts'
import { ReportSearchRow } from '#src/report/search/search-row.tsx'
import { Button } from '#src/ui/button.tsx'
import { LazyBoundary, lazyPart } from '#src/ui/lazy-boundary.tsx'
import { PullToRefresh } from '#src/ui/pull-refresh/pull-to-refresh.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { refreshReport } from './cards/refresh-report.ts'
import { FilterSidebar } from './filter/filter-sidebar.tsx'
import { limitProvincesToSubscription } from './filter/limit-provinces-to-subscription.ts'
import { FILTER_PANEL_MEDIA_QUERY, REPORT_TABLE_MEDIA_QUERY } from './filter/panel-media.ts'
import {
  REPORT_RESULTS_ELEMENT_ID,
  ReportFacetsProvider,
  type ReportFilterContextBase,
  ReportSegments,
} from './filter/report-facets.tsx'
import { ReportMenu } from './filter/report-menu.tsx'
import { SavedViewsMenu } from './filter/saved-views-menu.tsx'
import { useReportUrlState } from './filter/use-report-url-state.ts'
import { useSavedFilters } from './filter/use-saved-filters.tsx'
import { focusReportProject } from './keyboard/report-commands.ts'
import { ReportShortcuts } from './keyboard/report-shortcuts.tsx'
import { useReportInteractionState } from './keyboard/use-report-interaction-state.ts'
import { MorningQueueStartButton } from './queue/morning-queue-start-button.tsx'
import { formatReportDataTime, PhoneReportFigures, ReportFigures } from './report-figures.tsx'
import { ReportPager } from './report-pager.tsx'
import { ReportPrintSheet } from './report-print-sheet.tsx'
import { ReportResults } from './report-results.tsx'
import { ReportToolbar } from './report-toolbar.tsx'
import { NewDataNotice } from './states/new-data-notice.tsx'
import { getRunningNightlyLoadEndTime } from './states/nightly-load-end-time.ts'
import { ReportNotices } from './states/report-notices.tsx'
import { useRenderedRowsSearch, useReportResult, useVisibleReportRows } from './use-report-result.ts'

const MorningQueueScreen = lazyPart(() => import('./queue/morning-queue-screen.tsx'), 'MorningQueueScreen')
const ReportBulkActions = lazyPart(() => import('./report-bulk-actions.tsx'), 'ReportBulkActions')
const ReportPeek = lazyComponent(() => import('./peek/report-peek.tsx'), 'ReportPeek')

const OPEN_PANEL_MEDIA = '(min-width: 80rem)'

export function ReportPage() {
  const navigate = useNavigate()
  const { search, ignored, change, replaceAll } = useReportUrlState()
  const organisation = useOrganisation()
  const user = useUser()
  const packaged = limitProvincesToSubscription(search, organisation.areasWithProvinces)
  const result = useReportResult(packaged.search)
  const now = useServerTime()
  const today = getBangkokToday(now)
  const isWide = useMediaQuery(FILTER_PANEL_MEDIA_QUERY)
  const isRail = !useMediaQuery(OPEN_PANEL_MEDIA)
  const isTable = useMediaQuery(REPORT_TABLE_MEDIA_QUERY)
  const [searchField, setSearchField] = useState(
    () => SEARCH_PARAMS.find((name) => search[name] !== undefined) ?? SEARCH_PARAMS[0]!,
  )

  // Report personal filters of a first page: it may be a colleague's link. Links of the app mean the user's own.
  const { history } = useRouter()
  const [initialSearch] = useState<ReportSearch>(() => (history.canGoBack() ? {} : search))
  const personal = REPORT_PERSONAL_PARAMS.filter(
    (name) => initialSearch[name] !== undefined && search[name] !== undefined,
  )
  // Evaluated once, because a saved filter that is deleted while displayed needs no notice.
  const [foreignFilter] = useState(
    () => user.project_save_filter_profile.every(({ id }) => id !== search.saved) && search.saved,
  )
  const { project_labels, project_label_assignments, project_bookmark: starred } = user
  const teamLabels = useTeamLabelsAndViews(result.page !== undefined)
  const rowsSearch = useRenderedRowsSearch(search, result.isOld)
  const getViews = useReportRowViewers(result.page?.results)
  const { data: bidder } = useQuery({ ...qualificationsQuery, enabled: !isDemoSession() })
  const marks = {
    ...buildProjectRowDisplayData(rowsSearch, { project_labels, project_label_assignments }, today, teamLabels),
    getViews,
    bidder,
  }
  const stars = new Set(starred)
  const { page } = result
  const rows = useVisibleReportRows(result, search, user)
  const tools = useReportInteractionState({ search: packaged.search, change, page, rows })
  useOnChange(tools.peek.id, (id) => {
    if (id !== undefined) recordSeenProject(id)
  })
  const total = page && !result.isOld && search.view !== 'who_wins' ? page.total_project : null
  const searchBox = (
    <ReportSearchRow
      name={searchField}
      onFieldChange={setSearchField}
      search={search}
      change={change}
      total={total}
      deep={page && !result.isOld ? page.deep_search : null}
      onOpenProject={(id) => void navigate({ to: '/report/$id', params: { id } })}
    />
  )
  const hasTabs = isTable && search.view === undefined
  const saved = useSavedFilters({ search, change, replaceAll }, user, page !== undefined, hasTabs && searchBox)
  const isForeign = search.saved === foreignFilter && saved.isWhole && saved.context.view.filter === undefined
  const unknownFilter = isForeign ? search.saved : undefined
  const lostStart = user.start_team_view?.filterData === null ? user.start_team_view : undefined
  const newerData = useNewerDataTime(page?.data_time)
  const loadingUntil = page && getRunningNightlyLoadEndTime(organisation.customer_config, page.data_time, now)
  const hasNotice =
    ignored.length + packaged.outsideProvinces.length + personal.length > 0 ||
    loadingUntil !== undefined ||
    page?.freshness?.is_late === true ||
    (lostStart ?? unknownFilter) !== undefined
  const clear = () => replaceAll(clearReportFilters(search))
  const { start = null, end = null } = page?.report_window ?? {}
  // Memoised: the panel is the most expensive part, so stars, selection and paging must not re-render it.
  const context: ReportFilterContextBase = {
    search,
    change,
    labels: project_labels,
    areas: organisation.areasWithProvinces,
    ceilings: getBudgetSliderMaxima(organisation.customer_config.max_project_budget),
    window: { start, end },
    today,
  }

  const isPersonal = listFiltersExceptBidStateSegment(search).some((name) => REPORT_PERSONAL_PARAMS.includes(name))
  const segments = <ReportSegments context={context} />
  const queue = (
    <MorningQueueStartButton search={packaged.search} change={change} preload={MorningQueueScreen.preload} />
  )
  return (
    <ReportFacetsProvider search={packaged.search}>
      {/* Second skip link, the first tab stop of the content: it skips the heading, filters and search. */}
      <a
        href={`#${REPORT_RESULTS_ELEMENT_ID}`}
        onClick={(event) => {
          event.preventDefault()
          const [row] = rows
          if (row && !search.view) focusReportProject(row.project_id, tools)
          else document.getElementById(REPORT_RESULTS_ELEMENT_ID)?.focus()
        }}
        className="fixed top-2 left-2 z-[70] -translate-y-20 rounded-control bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0 print:hidden"
      >
        ข้ามไปที่ผลลัพธ์
      </a>
      {page && !isTable && <PullToRefresh onRefresh={refreshReport} />}
      {page && <ReportPrintSheet page={page} rows={rows} search={packaged.search} />}
      <div data-fills-window className={classNames('md:flex md:h-full', page && 'print:hidden')}>
        {isWide && (
          <FilterSidebar
            context={context}
            excludedCount={page?.counts.hidden}
            onClear={clear}
            // Views focus on their figures, so the panel starts collapsed.
            isRail={isRail || search.view !== undefined}
          />
        )}
        <div className="flex min-w-0 flex-1 flex-col px-4 max-md:pb-3 md:min-h-0 lg:px-5">
          {search.view ? (
            <ReportViewHeading view={search.view} search={search} isPersonal={isPersonal} change={change} />
          ) : (
            <>
              <div className="flex min-h-12 items-center gap-x-3 max-md:min-h-11 max-md:gap-x-1">
                <h1 className="truncate text-xl font-semibold max-md:min-w-0 md:shrink-0">รายงานโครงการ</h1>
                {isTable ? segments : <SavedViewsMenu context={saved.context} />}
                <p className="relative min-w-0 flex-1 truncate text-ink-muted">
                  {page && <MatchingInProgressNotice className="mr-3 align-bottom" />}
                  {page && !isTable && <PhoneReportFigures page={page} />}
                </p>
                {isTable && (
                  <>
                    {page && queue}
                    <Button
                      icon={Share2}
                      title="คัดลอกลิงก์ของรายการนี้"
                      onClick={() => void copyReportLink(search, isPersonal)}
                      className="print:hidden"
                    >
                      แชร์
                    </Button>
                  </>
                )}
                <ReportMenu
                  context={saved.context}
                  isPersonal={isPersonal}
                  isTable={isTable}
                  selection={tools.selection}
                  onHelp={() => tools.showHelp(true)}
                />
              </div>
              {isTable ? saved.tabs : <div className="pb-2">{segments}</div>}
            </>
          )}
          {saved.dialogs}
          <ReportToolbar
            page={page}
            total={total}
            context={context}
            isWide={isWide}
            isTable={isTable}
            hasCounters={search.view === undefined && (!isWide || isRail)}
            searchBox={!hasTabs && searchBox}
            queue={!isTable && queue}
            selection={tools.selection}
            field={searchField}
            onFieldChange={setSearchField}
            onClear={clear}
          />
          {page && <FirstStepsStrip user={user} onQueue={() => change({ queue: true })} />}
          {page?.fit && search.ordering === FIT_ORDERING && (
            <FitOrderStrip evidence={page.fit} onLeave={() => change(buildFitOrderPatch(search))} />
          )}
          {page && <MatchingFailedNotice className="pb-2" />}
          {hasNotice && (
            <ReportNotices
              ignored={ignored}
              saved={unknownFilter}
              outsideProvinces={packaged.outsideProvinces}
              loadingUntil={loadingUntil}
              freshness={page?.freshness}
              lostStart={lostStart}
              personal={personal}
            />
          )}
          {page && isTable && !search.view && user.customize_report_table.length === 0 && <ReportColumnPresetOffer />}
          <VisuallyHidden live>{total === null ? '' : `พบ ${formatCount(total)} โครงการ`}</VisuallyHidden>
          {newerData !== undefined && <NewDataNotice key={newerData} time={newerData} />}
          <div id={REPORT_RESULTS_ELEMENT_ID} tabIndex={-1} className="relative outline-none md:min-h-0 md:flex-1">
            <ProjectRowDisplayContext value={marks}>
              <StarredIdsContext value={stars}>
                <LazyBoundary resetKey={page}>
                  <ReportResults
                    result={result}
                    rows={rows}
                    tools={tools}
                    search={search}
                    packaged={packaged.search}
                    isTable={isTable}
                    change={change}
                    onClear={clear}
                  />
                </LazyBoundary>
              </StarredIdsContext>
              {tools.peek.id !== undefined && (
                <LazyBoundary resetKey={tools.peek.id}>
                  <ReportPeek id={tools.peek.id} tools={tools} isSidePanel={isWide} />
                </LazyBoundary>
              )}
            </ProjectRowDisplayContext>
          </div>
          <LabelPanelHost />
          {page && <ReportExportDialogHost search={packaged.search} total={page.total_project} user={user} />}
          <VisuallyHidden live>{tools.announcement}</VisuallyHidden>
          {page && tools.selection.chosen.size > 0 && (
            <ReportBulkActions tools={tools} search={packaged.search} total={page.total_project} />
          )}
          {page && search.view === undefined && (
            <ReportPager
              page={search.page ?? 1}
              pageSize={search.page_size ?? REPORT_DEFAULT_PAGE_SIZE}
              total={page.total_project}
              change={change}
            >
              {isTable && <ReportFigures page={page} />}
              <HiddenProjectsNotice
                count={page.counts.hidden_by_user}
                showsHidden={search.project_hidden === true}
                change={change}
              />
              {!isTable && <p className="w-full text-xs text-ink-muted">{formatReportDataTime(page)}</p>}
              {page.freshness && <DataFreshnessLine freshness={page.freshness} />}
            </ReportPager>
          )}
        </div>
        {search.queue && (
          <ProjectRowDisplayContext value={marks}>
            <MorningQueueScreen search={packaged.search} change={change} />
          </ProjectRowDisplayContext>
        )}
        <ReportShortcuts tools={tools} isOld={result.isOld} showsHidden={search.project_hidden === true} />
      </div>
    </ReportFacetsProvider>
  )
}

const TITLES: Readonly<Record<ReportView, string>> = {
  who_wins: 'ใครชนะงานแบบนี้',
  contract_ends: 'สัญญาใกล้หมด',
}

/** Drops the parameters of the view, so that the list has the filters with which the view was opened. */
const BACK_TO_LIST: Readonly<Record<ReportView, ReportSearchPatch>> = {
  who_wins: { view: undefined, rows: undefined, market: undefined, rank: undefined, page: undefined },
  contract_ends: { view: undefined, ends_within: undefined, page: undefined },
}

type ReportViewHeadingProps = {
  view: ReportView
  search: ReportSearch
  isPersonal: boolean
  change: ChangeReportSearchFn
}

/** Heading of a view that is opened from the list. It has no segments, queue or saved filters, because they do not apply. */
function ReportViewHeading({ view, search, isPersonal, change }: ReportViewHeadingProps) {
  return (
    <div className="flex min-h-12 items-center gap-x-3 max-md:min-h-14 max-md:gap-x-1 print:hidden">
      <Button variant="quiet" icon={ArrowLeft} onClick={() => change(BACK_TO_LIST[view])} className="-ml-2.5">
        <span>
          <span className="max-sm:sr-only">กลับไป</span>รายงาน
        </span>
      </Button>
      <h1 className="min-w-0 flex-1 truncate text-xl font-semibold">{TITLES[view]}</h1>
      <Button icon={Share2} title="คัดลอกลิงก์ของหน้านี้" onClick={() => void copyReportLink(search, isPersonal)}>
        แชร์
      </Button>
    </div>
  )
}
