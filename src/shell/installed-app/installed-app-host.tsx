import { type QueryKey, useIsFetching } from '@tanstack/react-query'
import { CloudUpload, History, RefreshCw } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState, useSyncExternalStore } from 'react'
import type { User } from '#contract/account/user.ts'
import type { ProjectDetail } from '#contract/report/project-detail.ts'
import { getActionTargetProjectIds } from '#contract/report/project-targets.ts'
import type { ReportPageResponse, ReportRow } from '#contract/report/report.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { PursuitList } from '#contract/team/pursuit.ts'
import type { PursuitAction } from '#contract/team/pursuit-action.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { connectionStore } from '#src/api/http/connection.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { startStoringResponses } from '#src/api/offline/stored-responses.ts'
import { listQueuedMutations, type PendingMutation, subscribeToPendingChanges } from '#src/api/optimistic-changes.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { runWhenIdle } from '#src/lib/run-when-idle.ts'
import { formatShortThaiDateTime } from '#src/lib/thai-date-time.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { StatusLine, StatusLineButton } from '#src/ui/status-line.tsx'
import { appUpdateOfferStore, startWatchingForAppUpdates } from './app-update.ts'

/** Its `useIsFetching` also renders it after a sign-out, when `useUser` would put the user back into the empty cache. */
export function InstalledAppHost({ user, hasReport }: { user: User; hasReport: boolean }) {
  // The demo stores nothing because visitors share devices; operator data is never stored on a device.
  const canStoreOffline = !isDemoSession() && user.role !== OPERATOR_ROLE
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => (isLoaded ? startWatchingForAppUpdates() : undefined), [isLoaded])
  useEffect(() => (canStoreOffline ? startStoringResponses() : undefined), [canStoreOffline])
  useEffect(
    () => (canStoreOffline && isLoaded ? startOfflineCode(hasReport) : undefined),
    [canStoreOffline, isLoaded, hasReport],
  )
  useBadge(user.notification_updated_status.notifications.filter(({ read }) => !read).length)
  return (
    <>
      {!isLoaded && <LoadWatcher onLoaded={() => setLoaded(true)} />}
      <UpdateLine />
      <QueuedChangesBar isStored={canStoreOffline} />
    </>
  )
}

const MAX_LOADING_MS = 5000

/**
 * Calls `onLoaded` once the first queries have been answered and the browser is idle, after five seconds at the latest.
 * The worker fetches the whole build and the offline code is 66 kB, which would delay the first rows on a phone.
 */
function LoadWatcher({ onLoaded }: { onLoaded: () => void }) {
  const isFetching = useIsFetching() > 0
  const handleLoaded = useEffectEvent(onLoaded)
  useEffect(() => {
    const timer = setTimeout(() => handleLoaded(), MAX_LOADING_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => (isFetching ? undefined : runWhenIdle(() => handleLoaded())), [isFetching])
  return null
}

function startOfflineCode(hasReport: boolean): () => void {
  let isStopped = false
  let stops: readonly (() => void)[] = []
  Promise.all([
    import('#src/shell/installed-app/start-persisting-queued-changes.ts'),
    import('#src/shell/installed-app/prefetch-for-offline.ts'),
  ]).then(
    ([{ startPersistingQueuedChanges: startStoringChanges }, { prefetchForOffline }]) => {
      // All prefetched data belongs to the report, which the server refuses to budget-only accounts.
      if (!isStopped) stops = [startStoringChanges(), ...(hasReport ? [prefetchForOffline()] : [])]
    },
    // If this code fails to load, changes are sent only while the tab is open.
    () => undefined,
  )
  return () => {
    isStopped = true
    for (const stop of stops) stop()
  }
}

function useBadge(unread: number) {
  useEffect(() => {
    const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>
    if (!setAppBadge || !clearAppBadge) return
    setAppBadge.call(navigator, unread).catch(() => undefined)
    return () => void clearAppBadge.call(navigator).catch(() => undefined)
  }, [unread])
}

function UpdateLine() {
  const update = appUpdateOfferStore.useValue()
  return (
    <div role="status" className="print:hidden">
      {update && (
        <StatusLine calm icon={RefreshCw} words="มีเวอร์ชันใหม่" action={{ label: 'อัปเดต', run: update }}>
          <StatusLineButton label="ไว้ก่อน" run={() => appUpdateOfferStore.set(undefined)} />
        </StatusLine>
      )}
    </div>
  )
}

/** Maximum entries in the list; starring a selection of 500 projects counts as one change. */
const MAX_LISTED = 20

/** False for changes in flight, because they are probably confirmed within moments. */
const isWaiting = ({ state: { failureCount, isPaused } }: PendingMutation) =>
  failureCount > 0 || isPaused || connectionStore.get().state !== 'up'

type BarContent = {
  readonly time: string | undefined
  readonly changes: readonly string[]
}

function barSnapshot(): string {
  const { state } = connectionStore.get()
  const isDown = state !== 'up' && state !== 'back' && state !== 'limited'
  const content: BarContent = {
    time: isDown ? oldestDataTime(new Date()) : undefined,
    changes: listQueuedMutations().filter(isWaiting).map(describeQueuedChange),
  }
  return JSON.stringify(content)
}

function oldestDataTime(now: Date): string | undefined {
  const updateTimes = queryClient
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ state }) => state.dataUpdatedAt > 0 })
    .map(({ state }) => state.dataUpdatedAt)
  return updateTimes.length === 0 ? undefined : formatQueuedAt(new Date(Math.min(...updateTimes)), now)
}

function formatQueuedAt(at: Date, now: Date): string {
  const [text, today] = [at, now].map((date) => formatShortThaiDateTime(date.toISOString(), now))
  const time = /\d\d:\d\d น\.$/
  return text!.replace(time, '') === today!.replace(time, '') ? text!.slice(text!.search(time)) : text!
}

function subscribeToAll(listener: () => void): () => void {
  const stops = [
    subscribeToPendingChanges(listener),
    connectionStore.subscribe(listener),
    queryClient.getQueryCache().subscribe(listener),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function QueuedChangesBar({ isStored }: { isStored: boolean }) {
  const { time, changes } = JSON.parse(useSyncExternalStore(subscribeToAll, barSnapshot)) as BarContent
  const [isOpen, setIsOpen] = useState(false)
  const list = useId()
  const words = joinParts(
    time !== undefined && `ข้อมูลเมื่อ ${time}`,
    changes.length > 0 && `รอส่ง ${formatCount(changes.length)} รายการ`,
  )
  return (
    <div role="status" className="print:hidden">
      {words !== '' && (
        <StatusLine calm icon={changes.length > 0 ? CloudUpload : History} words={words}>
          {changes.length > 0 && (
            <StatusLineButton
              aria-expanded={isOpen}
              aria-controls={list}
              label={isOpen ? 'ซ่อนรายการ' : 'ดูรายการ'}
              run={() => setIsOpen(!isOpen)}
            />
          )}
        </StatusLine>
      )}
      {changes.length > 0 && (
        <div id={list} hidden={!isOpen} className="border-b border-line bg-surface px-4 py-2 text-sm">
          <ul className="mx-auto max-w-2xl space-y-1">
            {withReactKeys(changes.slice(0, MAX_LISTED), String).map(({ key, item: text }) => (
              <li key={key} className="line-clamp-2">
                {text}
              </li>
            ))}
          </ul>
          <p className="mx-auto mt-1 max-w-2xl text-xs text-ink-muted">
            {changes.length > MAX_LISTED && `และอีก ${formatCount(changes.length - MAX_LISTED)} รายการ `}
            {isStored
              ? 'เก็บไว้ในเครื่องนี้ ปิดแอปได้ ระบบจะส่งให้ตามลำดับเมื่อกลับมาเชื่อมต่อ'
              : 'ระบบจะส่งให้ตามลำดับเมื่อกลับมาเชื่อมต่อ อย่าเพิ่งปิดหน้านี้'}
          </p>
        </div>
      )}
    </div>
  )
}

type ChangeSummary = { readonly action: string; readonly projects: readonly string[] }

const PURSUIT_WORDS: Readonly<Partial<Record<PursuitAction['action'], string>>> = {
  set_stage: 'เปลี่ยนขั้น',
  set_owner: 'เปลี่ยนผู้ดูแล',
  decide: 'ตัดสินใจ',
  set_price: 'ใส่ราคา',
}

function summarizeChange({ meta, state: { variables } }: PendingMutation): ChangeSummary {
  const { name } = meta!.change
  if (name === 'queue') {
    const { id, decided } = variables as { readonly id: string; readonly decided: boolean }
    return { action: decided ? 'ไล่ดูแล้ว' : 'กลับไปไล่ดูใหม่', projects: [id] }
  }
  if (name === 'pursuit') {
    const { id, actions } = variables as { readonly id: string; readonly actions: readonly PursuitAction[] }
    return { action: PURSUIT_WORDS[actions[0]!.action] ?? 'แก้งานของทีม', projects: [id] }
  }
  const { bookmark_action: star, hide_action: hide, label_action: label, ...patch } = variables as UserPatch
  if (star) return { action: star.action === 'add' ? 'ติดดาว' : 'เอาดาวออก', projects: getActionTargetProjectIds(star) }
  if (hide) return { action: hide.action === 'add' ? 'ซ่อน' : 'เลิกซ่อน', projects: getActionTargetProjectIds(hide) }
  if (label?.action === 'assign_label') return { action: 'ติดป้าย', projects: getActionTargetProjectIds(label) }
  if (label?.action === 'unassign_label') return { action: 'เอาป้ายออก', projects: getActionTargetProjectIds(label) }
  if (label) return { action: 'แก้ป้ายกำกับ', projects: [] }
  const { project_label_assignments: assignments } = patch
  if (assignments) return { action: 'แก้ป้ายกำกับ', projects: Object.keys(assignments) }
  return { action: 'ทำเครื่องหมายการแจ้งเตือน', projects: [] }
}

export function describeQueuedChange(change: PendingMutation): string {
  const { action, projects } = summarizeChange(change)
  if (projects.length === 0) return action
  if (projects.length > 1) return `${action} · ${formatCount(projects.length)} โครงการ`
  return `${action} · ${findProjectName(projects[0]!) ?? projects[0]}`
}

function listCached<Data>(queryKey: QueryKey): Data[] {
  return queryClient.getQueriesData<Data>({ queryKey }).flatMap(([, data]) => data ?? [])
}

function findProjectName(id: string): string | undefined {
  const projects = [
    ...listCached<ReportPageResponse>(['reports', 'page']).flatMap(({ results }) => results),
    ...listCached<Readonly<Record<string, ReportRow>>>(['reports', 'queue-rows']).flatMap((rows) => rows[id] ?? []),
    ...listCached<PursuitList>(pursuitKeys.lists).flatMap(({ results }) => results),
    ...listCached<Partial<ProjectDetail>>(['projects']).flatMap(({ row }) => row ?? []),
  ]
  return projects.find((project) => project.project_id === id)?.name
}
