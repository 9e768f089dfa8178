import type { ReportPageResponse, ReportRow } from '#contract/report/report.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { setBookmarks } from '#src/report/bookmarks/set-bookmarks.ts'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { openLabelPicker } from '#src/report/labels/label-panel.tsx'
import type { Shortcut } from '#src/shell/shortcuts/shortcut-keys.ts'
import type { ShortcutPress } from '#src/shell/shortcuts/use-shortcuts.ts'
import type { ReportInteractionState } from './use-report-interaction-state.ts'

export type ReportShortcutContext = ReportInteractionState & {
  readonly starred: readonly string[]
  readonly showsHidden: boolean
  readonly openPage: (id: string) => void
  readonly goTo: (letter: string | undefined) => void
}

export function focusReportProject(id: string, { table }: Pick<ReportInteractionState, 'table'>): void {
  if (table.current) table.current.focusRow(id)
  else getNamedElement(`card ${id}`)?.focus()
}

function currentIndex({ rows, current }: ReportInteractionState): number {
  const card = document.activeElement?.closest<HTMLElement>('li[data-project-id]')?.dataset.projectId
  return rows.findIndex((row) => row.project_id === (card ?? current))
}

export function getLastReportPageNumber(page: ReportPageResponse | undefined): number {
  return page ? Math.max(1, Math.ceil(page.total_project / page.page_size)) : 1
}

export function moveReportCursor(by: 1 | -1, tools: ReportInteractionState): void {
  const { rows, page, change, arriveAt, announce } = tools
  const at = currentIndex(tools)
  const row = rows[at === -1 ? 0 : at + by]
  if (row) {
    focusReportProject(row.project_id, tools)
    // The table updates the panel itself on focus; cards do not, so update it here.
    tools.peek.follow(row.project_id)
    return
  }
  const to = (page?.page ?? 1) + by
  if (to < 1 || to > getLastReportPageNumber(page)) {
    announce(by === 1 ? 'โครงการสุดท้ายแล้ว' : 'โครงการแรกแล้ว')
    return
  }
  arriveAt.current = by === 1 ? 'first' : 'last'
  change({ page: to === 1 ? undefined : to })
}

function hideAndAdvance(row: ReportRow, tools: ReportShortcutContext): void {
  const { rows, showsHidden } = tools
  const at = rows.indexOf(row)
  const nextRow = rows[at + 1] ?? rows[at - 1]
  void setProjectsHidden([row.project_id], !showsHidden)
  if (nextRow) {
    focusReportProject(nextRow.project_id, tools)
    tools.peek.follow(nextRow.project_id)
  }
}

function closeTop(tools: ReportInteractionState): void {
  const { peek, selection, current, announce } = tools
  if (peek.id !== undefined) {
    closeReportPeek(tools)
    return
  }
  if (selection.chosen.size === 0 && !selection.isSelecting) return
  const isInBar = document.activeElement?.closest('[data-bulk-bar]') !== null
  selection.clear()
  announce('ยกเลิกการเลือกแล้ว')
  if (isInBar && current !== undefined) focusReportProject(current, tools)
}

export function closeReportPeek(tools: ReportInteractionState): void {
  const { peek, rows } = tools
  const { id } = peek
  const active = document.activeElement
  const wasInside = active === document.body || active?.closest('[data-answers-keys], [data-modal-panel]') != null
  peek.close()
  if (!wasInside || !rows.some((row) => row.project_id === id)) return
  // A closing sheet first returns the focus to its opener; the user may be at another project by then.
  setTimeout(() => id !== undefined && focusReportProject(id, tools), 50)
}

function goToFilters(): void {
  const target = getNamedElement('filters')
  if (target?.matches('button')) target.click()
  else target?.focus()
}

type PageShortcut = 'next' | 'previous' | 'search' | 'filters' | 'queue' | 'help' | 'close' | 'go'
type RowShortcut = Exclude<Shortcut, PageShortcut>

const PAGE_ACTIONS: Record<PageShortcut, (tools: ReportShortcutContext, letter: string | undefined) => void> = {
  next: (tools) => moveReportCursor(1, tools),
  previous: (tools) => moveReportCursor(-1, tools),
  search: () => getNamedElement('search')?.focus(),
  filters: goToFilters,
  // Click the button, because it knows which queue to open; without a button there is no queue yet.
  queue: () => getNamedElement('queueStart')?.click(),
  help: ({ showHelp }) => showHelp(true),
  close: closeTop,
  go: ({ goTo }, letter) => goTo(letter),
}

const ROW_ACTIONS: Record<RowShortcut, (row: ReportRow, tools: ReportShortcutContext) => void> = {
  peek: (row, tools) => {
    if (tools.peek.id === row.project_id) closeReportPeek(tools)
    else {
      tools.announce(`เปิดดูย่อ ${row.name}`)
      tools.peek.open(row.project_id)
    }
  },
  open: ({ project_id: id }, { openPage }) => openPage(id),
  star: ({ project_id: id }, { starred, announce }) => {
    const on = !starred.includes(id)
    void setBookmarks([id], on)
    // Removing a star shows a toast with undo, which screen readers announce instead.
    announce(on ? 'ติดดาวแล้ว' : '')
  },
  labels: ({ project_id: id }, { table }) =>
    openLabelPicker([id], table.current?.getRow(id) ?? getNamedElement(`card ${id}`) ?? null),
  hide: hideAndAdvance,
  line: (row) => void copyProjectsForLineChat([row]),
  select: (row, { selection, table, announce }) => {
    const on = !selection.ids.has(row.project_id)
    // Select through the table, so that Shift can extend a range from this row.
    if (table.current) table.current.selectRow(row.project_id, on)
    else selection.select(row, on)
    announce(on ? 'เลือกแล้ว' : 'เลิกเลือกแล้ว')
  },
}

const isOnRow = (name: Shortcut): name is RowShortcut => Object.hasOwn(ROW_ACTIONS, name)

export function runReportShortcut({ name, letter }: ShortcutPress, tools: ReportShortcutContext): void {
  const row = tools.rows[currentIndex(tools)]
  if (!isOnRow(name)) PAGE_ACTIONS[name](tools, letter)
  else if (row) ROW_ACTIONS[name](row, tools)
  // Close the panel even without a focused row, because it may show a project from another page.
  else if (name === 'peek' && tools.peek.id !== undefined) closeReportPeek(tools)
  else tools.announce('ยังไม่ได้อยู่ที่โครงการใด กด J เพื่อไปโครงการแรก')
}
