import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { budgetCeilings } from '#contract/account/organisation.ts'
import {
  activeReportFilters,
  REPORT_DEFAULT_PAGE_SIZE,
  REPORT_PERSONAL_PARAMS,
  type ReportParamName,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { useOrganisation } from '#src/api/keyword/organisations.ts'
import { useNewerData } from '#src/api/report/data-time.ts'
import { useUser } from '#src/api/user/users.ts'
import { HiddenNotice } from '#src/features/hidden-projects/hidden-notice.tsx'
import { LabelHost } from '#src/features/labels/label-button.tsx'
import { openLabelManager } from '#src/features/labels/label-panel.ts'
import { MatchingNotice } from '#src/features/matching-progress/matching-notice.tsx'
import { RowMarksContext, rowMarks, StarsContext } from '#src/features/project-row/row-marks.ts'
import { ExportHost } from '#src/features/report-export/export-button.tsx'
import { ActiveFilters } from '#src/features/report-filter/active-filters.tsx'
import type { FilterContext } from '#src/features/report-filter/filter-context.ts'
import { SEARCH_PARAMS, type SearchParam } from '#src/features/report-search/search-field.ts'
import { SearchRow } from '#src/features/report-search/search-row.tsx'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { countText } from '#src/lib/money-text.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { SelectMode } from './cards/select-mode.tsx'
import { ArchiveTabs, RESULTS_ID } from './filter/archive-tabs.tsx'
import { FilterAside } from './filter/filter-aside.tsx'
import { withinPackage } from './filter/package-provinces.ts'
import { SortSelect } from './filter/sort-select.tsx'
import { useReportAddress } from './filter/use-report-address.ts'
import { useSavedFilters } from './filter/use-saved-filters.tsx'
import { ReportKeyboard } from './keyboard/report-keyboard.tsx'
import { useReportTools } from './keyboard/use-report-tools.ts'
import { ReportQueueStart } from './queue/report-queue-start.tsx'
import { ReportHeading } from './report-heading.tsx'
import { ReportPager } from './report-pager.tsx'
import { ReportResults } from './report-results.tsx'
import { nightlyLoadUntil } from './states/nightly-load.ts'
import { ReportCounters } from './states/report-counters.tsx'
import { DensitySwitch } from './table/density-switch.tsx'
import { useReportResult } from './use-report-result.ts'
import { useVisibleRows } from './use-visible-rows.ts'

// Not on every screen: the sheet where there is no panel, the notices where there is something to say.
const FilterSheet = lazyComponent(() => import('./filter/filter-sheet.tsx'), 'FilterSheet')
const ReportBulk = lazyComponent(() => import('./report-bulk.tsx'), 'ReportBulk')
const ReportPeek = lazyComponent(() => import('./peek/report-peek.tsx'), 'ReportPeek')
const loadQueue = () => import('./queue/report-queue.tsx')
const ReportQueue = lazyComponent(loadQueue, 'ReportQueue')
const preloadQueue = () => void loadQueue().catch(() => undefined)
const NewDataNotice = lazyComponent(() => import('./states/new-data-notice.tsx'), 'NewDataNotice')
const ReportNotices = lazyComponent(() => import('./states/report-notices.tsx'), 'ReportNotices')

/** Room for the panel beside the table, and for the table at all (in rem, so that text zoom counts). */
const WIDE = '(min-width: 64rem)'
const TABLE = '(min-width: 48rem)'
/** Room for the filters, the table and the panel of one project; on a laptop the filters make way for the panel. */
const WIDEST = '(min-width: 80rem)'

/** The report: projects matched to the organisation, filtered and ordered by the address. */
export function ReportPage() {
  const { search, ignored, change, replaceAll } = useReportAddress()
  const organisation = useOrganisation()
  const user = useUser()
  const packaged = useMemo(() => withinPackage(search, organisation.areasWithProvinces), [search, organisation])
  const result = useReportResult(packaged.search)
  const now = serverNow()
  const today = bangkokToday(now)
  const hasPanel = useMediaQuery(WIDE)
  const isWide = useMediaQuery(search.peek === undefined ? WIDE : WIDEST)
  const isTable = useMediaQuery(TABLE)
  const [searchField, setSearchField] = useState<SearchParam>(() => firstSearched(search))

  // Who opens the page with personal filters in the address may have got the link from a colleague.
  const [openedWith] = useState(search)
  const personal = REPORT_PERSONAL_PARAMS.filter((name) => openedWith[name] !== undefined && search[name] !== undefined)
  // A saved filter that the user deletes while it is shown is no news.
  const [foreignFilter] = useState(
    () => user.project_save_filter_profile.every(({ id }) => id !== search.saved) && search.saved,
  )
  const unknownFilter = search.saved === foreignFilter ? search.saved : undefined
  const { project_labels, project_label_assignments, project_bookmark } = user
  const marks = useMemo(
    () => rowMarks(search, { project_labels, project_label_assignments }, today),
    [search, project_labels, project_label_assignments, today],
  )
  const stars = useMemo(() => new Set(project_bookmark), [project_bookmark])
  const { page } = result
  const rows = useVisibleRows(result, search, user)
  const tools = useReportTools({ search: packaged.search, change, page, rows })
  const saved = useSavedFilters({ search, change, replaceAll }, user, page !== undefined)
  const newerData = useNewerData(page?.data_time)
  const loadingUntil = page && nightlyLoadUntil(organisation.customer_config, page.data_time, now)
  const hasNotice =
    ignored.length + packaged.outside.length + personal.length > 0 ||
    loadingUntil !== undefined ||
    unknownFilter !== undefined
  const total = page && !result.isOld ? page.total_project : null
  const filters = activeReportFilters(search)
  const clear = useCallback(() => replaceAll(withoutFilters(search)), [replaceAll, search])
  const remove = (name: ReportParamName) => change({ [name]: undefined })
  // The rows first: the counts beside the filters are drawn when there is time.
  const facets = useDeferredValue(result.facets)
  const start = page?.report_window?.start ?? null
  const end = page?.report_window?.end ?? null
  // The panel is the most there is to draw: a star, a row chosen or a page turned leave it as it is.
  const context = useMemo<FilterContext>(
    () => ({
      search,
      change,
      facets,
      labels: project_labels,
      onManageLabels: openLabelManager,
      areas: organisation.areasWithProvinces,
      ceilings: budgetCeilings(organisation.customer_config.max_project_budget),
      window: { start, end },
      today,
    }),
    [search, change, facets, project_labels, organisation, start, end, today],
  )

  return (
    <div
      data-fills-window
      data-peeking={tools.peek.id !== undefined || undefined}
      className="group/report md:flex md:h-full"
    >
      {isWide && <FilterAside context={context} count={filters.length} onClear={clear} />}
      <div className="flex min-w-0 flex-1 flex-col gap-3 px-4 pt-4 pb-3 md:min-h-0 lg:px-5">
        <ReportHeading
          page={page}
          isPersonal={filters.some((name) => REPORT_PERSONAL_PARAMS.includes(name))}
          action={saved.button}
        />
        {saved.tabs}
        {page && <MatchingNotice />}
        {hasNotice && (
          <LazyBoundary>
            <ReportNotices
              ignored={ignored}
              saved={unknownFilter}
              outside={packaged.outside}
              loadingUntil={loadingUntil}
              personal={personal}
            />
          </LazyBoundary>
        )}
        <div className="flex items-start gap-2 print:hidden">
          <SearchRow
            name={searchField}
            onFieldChange={setSearchField}
            search={search}
            change={change}
            total={total}
            deep={page && !result.isOld ? page.deep_search : null}
          />
          {!isWide && (
            <LazyBoundary fallback={<span className="size-9 touch:size-11" />}>
              <FilterSheet context={context} count={filters.length} total={total} onClear={clear} />
            </LazyBoundary>
          )}
        </div>
        {!isWide && <ArchiveTabs context={context} className="md:max-w-sm" />}
        <div className="flex items-center gap-x-4 gap-y-2 max-md:flex-row-reverse max-md:flex-wrap max-md:justify-end max-md:gap-x-2 print:hidden">
          {page && (
            <ReportCounters page={page} search={search} change={change}>
              <ReportQueueStart search={packaged.search} change={change} preload={preloadQueue} />
            </ReportCounters>
          )}
          <SortSelect
            ordering={search.ordering}
            own={search.ai_deep_search__in ? 'ใกล้เคียงก่อน' : 'ล่าสุดก่อน'}
            change={change}
            className="md:ml-auto md:shrink-0"
          />
          {/* Below that width it stands with the pages: the counters need the row. */}
          {isTable && <DensitySwitch className="shrink-0 max-xl:hidden" />}
          {!isTable && page && <SelectMode selection={tools.selection} />}
        </div>
        {filters.length > 0 && (
          <ActiveFilters
            search={search}
            labels={user.project_labels}
            except={[searchField, 'project_hidden']}
            editable={SEARCH_PARAMS}
            onEdit={(name) => setSearchField(name as SearchParam)}
            onRemove={remove}
            onClear={clear}
          />
        )}
        {page && (
          <HiddenNotice
            count={page.counts.hidden_by_user}
            showsHidden={search.project_hidden === true}
            change={change}
          />
        )}
        <VisuallyHidden live>{total === null ? '' : `พบ ${countText(total)} โครงการ`}</VisuallyHidden>
        {newerData !== undefined && (
          <LazyBoundary>
            <NewDataNotice key={newerData} time={newerData} />
          </LazyBoundary>
        )}
        <div id={RESULTS_ID} className="md:min-h-0 md:flex-1">
          <RowMarksContext value={marks}>
            <StarsContext value={stars}>
              <LazyBoundary resetKey={page}>
                <ReportResults
                  result={result}
                  rows={rows}
                  tools={tools}
                  search={search}
                  user={user}
                  isTable={isTable}
                  change={change}
                  onRemove={remove}
                  onClear={clear}
                />
              </LazyBoundary>
            </StarsContext>
          </RowMarksContext>
        </div>
        <LabelHost />
        {page && <ExportHost search={packaged.search} total={page.total_project} user={user} />}
        <VisuallyHidden live>{tools.announcement}</VisuallyHidden>
        {page && tools.selection.chosen.size > 0 && (
          <LazyBoundary>
            <ReportBulk tools={tools} search={packaged.search} total={page.total_project} />
          </LazyBoundary>
        )}
        {page && page.total_project > 0 && (
          <ReportPager
            page={search.page ?? 1}
            pageSize={search.page_size ?? REPORT_DEFAULT_PAGE_SIZE}
            total={page.total_project}
            change={change}
            onHelp={() => tools.showHelp(true)}
          />
        )}
      </div>
      {tools.peek.id !== undefined && (
        <LazyBoundary resetKey={tools.peek.id}>
          <RowMarksContext value={marks}>
            <ReportPeek id={tools.peek.id} tools={tools} isBeside={hasPanel} />
          </RowMarksContext>
        </LazyBoundary>
      )}
      {search.queue && (
        <LazyBoundary>
          <RowMarksContext value={marks}>
            <ReportQueue search={packaged.search} change={change} />
          </RowMarksContext>
        </LazyBoundary>
      )}
      <ReportKeyboard tools={tools} isOld={result.isOld} showsHidden={search.project_hidden === true} />
    </div>
  )
}

/** The field that a link searches in, so that its words stand in the box. */
function firstSearched(search: ReportSearch): SearchParam {
  return SEARCH_PARAMS.find((name) => search[name] !== undefined) ?? 'project_name__in'
}

/** What stays when all filters are cleared: the tab and how the result is shown. */
function withoutFilters({ is_archived, ordering, page_size }: ReportSearch): ReportSearch {
  return {
    ...(is_archived === undefined ? {} : { is_archived }),
    ...(ordering === undefined ? {} : { ordering }),
    ...(page_size === undefined ? {} : { page_size }),
  }
}
