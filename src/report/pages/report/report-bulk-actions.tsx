import { useMutation } from '@tanstack/react-query'
import { Download, EyeOff, type LucideIcon, MessageCircle, Star, StarOff, Tag, X } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/project-targets.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useUser } from '#src/account/api/users.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { MAX_PROJECTS_PER_LINE_MESSAGE } from '#src/channels/line-copy/build-line-message.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { findReportProjects } from '#src/report/api/report-projects.ts'
import { reportIdsQuery } from '#src/report/api/reports.ts'
import { setBookmarks } from '#src/report/bookmarks/set-bookmarks.ts'
import { openReportExportPanel, preloadReportExportDialog } from '#src/report/export/export-panel.tsx'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { LazyLabelPanels, openLabelPicker } from '#src/report/labels/label-panel.tsx'
import type { ReportSelection } from '#src/report/selection/use-report-selection.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { focusReportProject } from './keyboard/report-commands.ts'
import type { ReportInteractionState } from './keyboard/use-report-interaction-state.ts'

type ReportBulkProps = {
  tools: ReportInteractionState
  search: ReportSearch
  total: number
}

/** Takes up layout space, so that it covers neither the last row nor the focused element. */
export function ReportBulkActions({ tools, search, total }: ReportBulkProps) {
  const { selection, rows } = tools
  const { ids } = selection
  const firstButton = useRef<HTMLButtonElement>(null)
  const starred = useUser().project_bookmark.filter((id) => ids.has(id))
  const isAllStarred = starred.length >= ids.size
  const star = (on: boolean) => {
    const starredIds = new Set(starred)
    void setBookmarks(on ? [...ids].filter((id) => !starredIds.has(id)) : starred, on)
  }
  const endSelection = () => {
    selection.clear()
    const id = tools.current ?? rows[0]?.project_id
    if (id !== undefined) focusReportProject(id, tools)
  }
  const isWholePage = rows.length > 0 && rows.every((row) => ids.has(row.project_id))
  const showsHidden = search.project_hidden === true
  return (
    <section
      ref={reserveBulkBarSpace}
      aria-label="ทำกับโครงการที่เลือก"
      data-bulk-bar
      className="appear sticky bottom-[max(0.5rem,env(safe-area-inset-bottom),calc(var(--bottom-bar,0px)+0.5rem))] z-20 rounded-card border border-accent-line bg-accent-soft shadow-float print:hidden"
    >
      <VisuallyHidden live>{`เลือก ${formatCount(ids.size)} โครงการ`}</VisuallyHidden>
      {isWholePage && ids.size < total && <SelectAll search={search} selection={selection} total={total} />}
      <div className="flex items-center gap-x-1 gap-y-1 px-2 py-1.5 md:gap-x-2 md:px-3">
        <p className="mr-auto font-medium whitespace-nowrap text-accent-ink">
          <span className="max-sm:sr-only">เลือก </span>
          <span className="tabular-nums">{formatCount(ids.size)}</span>
          <span> โครงการ</span>
        </p>
        <div className="flex min-w-0 items-center gap-1 overflow-x-auto [scrollbar-width:none] md:gap-2">
          <BulkAction ref={firstButton} icon={isAllStarred ? StarOff : Star} onClick={() => star(!isAllStarred)}>
            {isAllStarred ? 'เอาดาวออก' : 'ติดดาว'}
          </BulkAction>
          {starred.length > 0 && !isAllStarred && (
            <BulkAction
              icon={StarOff}
              onClick={() => {
                star(false)
                // This button unmounts when no selected project is starred any more, so move the focus.
                firstButton.current?.focus()
              }}
            >
              เอาดาวออก
            </BulkAction>
          )}
          <BulkAction
            icon={Tag}
            aria-haspopup="dialog"
            onPointerEnter={LazyLabelPanels.preload}
            onFocus={LazyLabelPanels.preload}
            onClick={(event) => openLabelPicker([...ids], event.currentTarget)}
          >
            ป้ายกำกับ
          </BulkAction>
          <LineAction chosen={selection.chosen} />
          <BulkAction
            icon={Download}
            aria-haspopup="dialog"
            onPointerEnter={preloadReportExportDialog}
            onFocus={preloadReportExportDialog}
            onClick={() => openReportExportPanel([...ids])}
          >
            ส่งออก
          </BulkAction>
          <BulkAction
            icon={EyeOff}
            onClick={() => {
              void setProjectsHidden([...ids], !showsHidden)
              endSelection()
            }}
          >
            {showsHidden ? 'เลิกซ่อน' : 'ซ่อน'}
          </BulkAction>
        </div>
        <IconButton icon={X} label="ยกเลิกการเลือก (Esc)" onClick={endSelection} className="ml-1" />
      </div>
    </section>
  )
}

function LineAction({ chosen }: Pick<ReportSelection, 'chosen'>) {
  const isTooMany = chosen.size > MAX_PROJECTS_PER_LINE_MESSAGE
  const copy = useMutation({
    mutationFn: async () => {
      const unknown = [...chosen].flatMap(([id, row]) => (row === null ? [id] : []))
      const fetched = new Map((await findReportProjects(unknown)).map((row) => [row.project_id, row]))
      await copyProjectsForLineChat([...chosen].flatMap(([id, row]) => row ?? fetched.get(id) ?? []))
    },
    onError: (error) => showFailureToast('คัดลอกไม่สำเร็จ', error, () => copy.mutate()),
  })
  return (
    <BulkAction icon={MessageCircle} pending={copy.isPending} disabled={isTooMany} onClick={() => copy.mutate()}>
      {isTooMany ? `LINE ได้ไม่เกิน ${MAX_PROJECTS_PER_LINE_MESSAGE} โครงการ` : 'คัดลอกสำหรับ LINE'}
    </BulkAction>
  )
}

/**
 * While mounted, raises toasts above the bar (`--toast-lift`). On a phone, where the bar is sticky, focused elements
 * are scrolled clear of it.
 */
function reserveBulkBarSpace(bar: HTMLElement) {
  const { style } = document.documentElement
  const measure = () => {
    const lift = `${Math.max(0, Math.round(window.innerHeight - bar.getBoundingClientRect().top))}px`
    style.setProperty('--toast-lift', lift)
    style.scrollPaddingBottom = lift
  }
  const observer = new ResizeObserver(measure)
  observer.observe(bar)
  measure()
  window.addEventListener('resize', measure)
  return () => {
    observer.disconnect()
    window.removeEventListener('resize', measure)
    style.removeProperty('--toast-lift')
    style.scrollPaddingBottom = ''
  }
}

type BulkActionProps = ComponentProps<typeof Button> & { icon: LucideIcon; children: string }

/** Button of the bar, on a phone only an icon. */
function BulkAction({ icon: Icon, children, ...rest }: BulkActionProps) {
  return (
    <Button size="sm" title={children} {...rest}>
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="max-sm:sr-only">{children}</span>
    </Button>
  )
}

type SelectAllProps = { selection: ReportSelection; search: ReportSearch; total: number }

function SelectAll({ selection, search, total }: SelectAllProps) {
  const selectAll = useMutation({
    mutationFn: () => queryClient.query(reportIdsQuery(search)),
    onSuccess: ({ ids }) => selection.selectIds(ids),
    onError: (error) => showFailureToast('เลือกทั้งหมดไม่สำเร็จ', error, () => selectAll.mutate()),
  })
  const reachable = Math.min(total, MAX_PROJECTS_PER_ACTION)
  if (selection.ids.size >= reachable) {
    return (
      <p className="border-b border-accent-line px-3 py-1.5 text-sm text-ink-muted">
        ทำได้ครั้งละไม่เกิน {formatCount(MAX_PROJECTS_PER_ACTION)} โครงการ จากผลลัพธ์ {formatCount(total)} โครงการ
      </p>
    )
  }
  return (
    <p className="flex flex-wrap items-center gap-x-2 border-b border-accent-line px-3 py-1 text-sm text-ink-muted">
      เลือกครบทั้งหน้าแล้ว
      <Button variant="link" size="sm" pending={selectAll.isPending} onClick={() => selectAll.mutate()}>
        {total > reachable
          ? `เลือก ${formatCount(reachable)} โครงการแรก จาก ${formatCount(total)} ในผลลัพธ์`
          : `เลือกทั้งหมด ${formatCount(total)} โครงการในผลลัพธ์`}
      </Button>
    </p>
  )
}
