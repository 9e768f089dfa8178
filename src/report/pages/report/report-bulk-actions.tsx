import { useMutation } from '@tanstack/react-query'
import { Download, MessageCircle, Tag } from 'lucide-react'
import type { ReportSearch } from '#contract/report/report-params.ts'
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
import { BulkAction, BulkActionsBar } from '#src/report/selection/bulk-actions-bar.tsx'
import { showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'
import { focusReportProject } from './keyboard/report-commands.ts'
import type { ReportInteractionState } from './keyboard/use-report-interaction-state.ts'

type ReportBulkProps = {
  tools: ReportInteractionState
  search: ReportSearch
  total: number
}

export function ReportBulkActions({ tools, search, total }: ReportBulkProps) {
  const { selection, rows } = tools
  const { chosen, ids } = selection
  const user = useUser()
  const starred = user.project_bookmark.filter((id) => ids.has(id))
  const star = (on: boolean) => {
    const starredIds = new Set(starred)
    void setBookmarks(on ? [...ids].filter((id) => !starredIds.has(id)) : starred, on)
  }
  const endSelection = () => {
    selection.clear()
    const id = tools.current ?? rows[0]?.project_id
    if (id !== undefined) focusReportProject(id, tools)
  }
  const selectAll = useMutation({
    mutationFn: () => queryClient.query(reportIdsQuery(search)),
    onSuccess: ({ ids: allIds }) => selection.selectIds(allIds),
    onError: (error) => showFailureToast('เลือกทั้งหมดไม่สำเร็จ', error, () => selectAll.mutate()),
  })
  return (
    <BulkActionsBar
      count={chosen.size}
      total={total}
      isWholePage={rows.length > 0 && rows.every((row) => ids.has(row.project_id))}
      onSelectAll={() => selectAll.mutate()}
      selectingAll={selectAll.isPending}
      starred={starred.length}
      onStar={star}
      showsHidden={search.project_hidden === true}
      onHide={(on) => {
        void setProjectsHidden([...ids], on)
        endSelection()
      }}
      onClear={endSelection}
    >
      <BulkAction
        icon={Tag}
        aria-haspopup="dialog"
        onPointerEnter={LazyLabelPanels.preload}
        onFocus={LazyLabelPanels.preload}
        onClick={(event) => openLabelPicker([...ids], event.currentTarget)}
      >
        ป้ายกำกับ
      </BulkAction>
      <LineAction tools={tools} />
      <BulkAction
        icon={Download}
        aria-haspopup="dialog"
        onPointerEnter={preloadReportExportDialog}
        onFocus={preloadReportExportDialog}
        onClick={() => openReportExportPanel([...ids])}
      >
        ส่งออก
      </BulkAction>
    </BulkActionsBar>
  )
}

function LineAction({ tools: { selection } }: { tools: ReportInteractionState }) {
  const { chosen } = selection
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
