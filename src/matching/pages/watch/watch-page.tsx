import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useEffect } from 'react'
import { KEYWORD_LIST_CODES } from '#contract/account/organisation.ts'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { isForbiddenError } from '#src/lib/problem-error.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'
import { refetchAfterInterruptedWatchListSave } from '#src/matching/api/interrupted-save.ts'
import { keywordStatsQuery } from '#src/matching/api/keyword-impact.ts'
import { isMatchingRunning } from '#src/matching/api/matching-progress.ts'
import { ExcludedProjectsPanel } from '#src/matching/excluded-projects/excluded-projects-panel.tsx'
import { KeywordNoiseLevelIndicator } from '#src/matching/keyword-impact/keyword-noise-level-indicator.tsx'
import { keywordListActionResultStore } from '#src/matching/keywords/keyword-list-status-line.tsx'
import { WatchListsContext } from '#src/matching/keywords/watch-list-tools.ts'
import { useWatchListsLocked, WatchListsLockedBanner } from '#src/matching/keywords/watch-lists-locked-banner.tsx'
import {
  MatchingFailedNotice,
  MatchingInProgressNotice,
  useMatchingProgress,
} from '#src/matching/matching-progress/matching-notice.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { MatchExplanationPanel } from '#src/report/why-not/match-explanation-panel.tsx'
import { useScreenShortcuts } from '#src/shell/shortcuts/screen-shortcuts.ts'
import { useShortcuts } from '#src/shell/shortcuts/use-shortcuts.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { InlineQueryError } from '#src/ui/inline-query-error.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { WatchListRulesTab } from './watch-rules-tab.tsx'
import {
  applyWatchSearchPatch,
  getExcludedProjectsUrlState,
  toWatchSearchPatch,
  WATCH_LIST_PAGE_TABS,
  WATCH_PARAMS,
  type WatchListPageTab,
  type WatchSearch,
} from './watch-search.ts'

const route = getRouteApi('/_app/watch')

function useLoadedWatchLists() {
  const organisation = useOrganisation()
  const stats = useQuery(useOptimisticQueryOptions(keywordStatsQuery))
  // In the demo users may try out words at any hour, because nothing is stored and its lists never unlock.
  const isLocked = useWatchListsLocked(organisation.customer_config) && !isDemoSession()
  const keywords = stats.data?.keywords
  const figures = keywords && new Map(keywords.map((keyword) => [keyword.id, keyword]))
  useEffect(refetchAfterInterruptedWatchListSave, [])
  useEffect(() => () => keywordListActionResultStore.set(undefined), [])
  return { organisation, figures, isLocked, stats }
}

const PANEL_ID = 'watch-panel'

/** Names of the tabs. On a phone only the first words are visible, so that the three tabs fit in one line. */
const TABS = {
  rules: { short: 'คำ', remainder: 'และหน่วยงาน', end: '' },
  hidden: { short: 'ถูกซ่อน', remainder: 'โดยคำไม่รวม', end: '' },
  why: { short: 'ทำไมไม่อยู่', remainder: 'ในรายงาน', end: '?' },
} as const satisfies Record<WatchListPageTab, object>

export function WatchListPage() {
  const { search, ignored, change } = useSearchState<WatchSearch>(
    route.useSearch(),
    route.useNavigate(),
    applyWatchSearchPatch,
  )
  const { tab = 'rules' } = search
  const { stats, ...watchLists } = useLoadedWatchLists()
  const { organisation, isLocked } = watchLists
  const hasWords = KEYWORD_LIST_CODES.some((list) => organisation[list].length > 0)
  // While matching runs, the figures still belong to the previous lists, so show the matching progress instead.
  const isOld = isMatchingRunning(useMatchingProgress())
  const { goTo } = useScreenShortcuts()
  useShortcuts(({ name, letter }) => {
    if (name === 'search') getNamedElement('addWord')?.focus()
    if (name === 'go') goTo(letter)
  })
  if (isForbiddenError(stats.error)) {
    return (
      <>
        <h1 className="sr-only">คำติดตาม</h1>
        <EmptyState icon={Lock} title="บัญชีของคุณไม่มีสิทธิ์ดูคำติดตาม">
          ติดต่อผู้ดูแลองค์กรของคุณเพื่อขอสิทธิ์
        </EmptyState>
      </>
    )
  }
  return (
    <div className="mx-auto w-full max-w-[84rem] px-4 py-5 lg:px-5">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-96">
          <h1 className="text-xl font-semibold">คำติดตาม</h1>
          <div className="min-h-6 text-ink-muted">
            คำเหล่านี้กำหนดว่าโครงการใดเข้ารายงาน <MatchingInProgressNotice className="ml-2" />
            <MatchingFailedNotice className="ml-2" />
            {hasWords && stats.data && !isOld && (
              <>
                {' · '}
                <KeywordNoiseLevelIndicator perWorkingDay={stats.data.per_working_day} level={stats.data.level} />
              </>
            )}
            {hasWords && stats.isPending && (
              <SkeletonGroup label="กำลังโหลดตัวเลข" className="ml-2 inline-block align-middle" bars={['w-72']} />
            )}
            {!stats.data && (
              <InlineQueryError query={stats} title="โหลดตัวเลขของคำไม่สำเร็จ:" className="inline text-urgent" />
            )}
          </div>
        </div>
        <Tabs<WatchListPageTab>
          label="ส่วนของหน้าคำติดตาม"
          variant="segment"
          items={WATCH_LIST_PAGE_TABS.map((value) => ({
            value,
            label: (
              <span className="relative">
                {TABS[value].short}
                <span className="max-md:sr-only">{TABS[value].remainder}</span>
                {TABS[value].end}
              </span>
            ),
            count: value === 'hidden' ? stats.data?.hidden : undefined,
          }))}
          value={tab}
          onChange={(next) => change({ tab: next })}
          panelId={PANEL_ID}
          className="max-w-full max-md:w-full max-md:[&_[role=tab]]:px-2"
        />
      </div>
      <div className="mt-4 space-y-4">
        {isLocked && <WatchListsLockedBanner window={organisation.customer_config} />}
        {isDemoSession() && (
          <div role="status">
            <Notice>{API_PROBLEM_TEXTS.demo_read_only}</Notice>
          </div>
        )}
        <IgnoredParamsNotice params={WATCH_PARAMS} ignored={ignored} />
        <div id={PANEL_ID} role="tabpanel" aria-label={`${TABS[tab].short}${TABS[tab].remainder}`}>
          {tab === 'rules' && (
            <WatchListsContext value={watchLists}>
              <WatchListRulesTab stats={stats.data} hasWords={hasWords} search={search} change={change} />
            </WatchListsContext>
          )}
          {tab === 'hidden' && (
            <ExcludedProjectsPanel
              {...getExcludedProjectsUrlState(search)}
              onChange={(ledger) => change(toWatchSearchPatch(ledger))}
            />
          )}
          {tab === 'why' && <MatchExplanationPanel id={search.project} onChange={(project) => change({ project })} />}
        </div>
      </div>
    </div>
  )
}
