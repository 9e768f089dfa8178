import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useUser } from '#src/account/api/users.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import { useReportUrlState } from '#src/report/pages/report/filter/use-report-url-state.ts'
import { useScreenShortcuts } from '#src/shell/shortcuts/screen-shortcuts.ts'
import { useShortcuts } from '#src/shell/shortcuts/use-shortcuts.ts'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'
import { focusReportProject, type ReportShortcutContext, runReportShortcut } from './report-commands.ts'
import { getSavedReportCursor, type ReportInteractionState, saveReportCursor } from './use-report-interaction-state.ts'

const ShortcutHelpDialog = lazyPart(() => import('#src/shell/shortcuts/shortcut-help-dialog.tsx'), 'ShortcutHelpDialog')

const CONTROL_SELECTOR = 'a, button, input, label, select'

type ReportKeyboardProps = {
  tools: ReportInteractionState
  isOld: boolean
  showsHidden: boolean
}

export function ReportShortcuts({ tools, isOld, showsHidden }: ReportKeyboardProps) {
  const user = useUser()
  const router = useRouter()
  const { search } = useReportUrlState()
  const { screens, goTo } = useScreenShortcuts()
  const keyTools: ReportShortcutContext = {
    ...tools,
    starred: user.project_bookmark,
    showsHidden,
    openPage: (id) => {
      saveReportCursor(router.history, id)
      router.history.push(getProjectHref(id, { from: search }))
    },
    goTo,
  }
  useShortcuts((press) => runReportShortcut(press, keyTools))

  // Row clicks open the panel; keys, cards and the panel navigate client-side. The browser handles modified clicks.
  useDocumentEvent('click', (event) => {
    const { button, ctrlKey, metaKey, shiftKey, altKey, detail } = event
    if (event.defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
    if (!(event.target instanceof Element)) return
    const link = event.target.closest<HTMLElement>('[data-project-link]')
    const row = event.target.closest<HTMLElement>('tr[data-index]')
    if (!link && (!row || event.target.closest(CONTROL_SELECTOR))) return
    const { peek, openPage, rows: renderedRows } = keyTools
    const id = link ? link.dataset.projectLink : renderedRows[Number(row?.dataset.index)]?.project_id
    if (id === undefined) return
    if (link) event.preventDefault()
    if (row && window.getSelection()?.isCollapsed === false) return
    if (row && detail > 0) peek.open(id)
    else if (link) openPage(id)
  })

  // When J moved to another page of results, focus the first row of the new page (or the last, going back).
  const { rows, arriveAt: arriveAtRef } = tools
  const focusRow = useEffectEvent((id: string) => {
    if (rows.some((row) => row.project_id === id)) focusReportProject(id, keyTools)
  })
  useEffect(() => {
    const row = arriveAtRef.current === 'last' ? rows.at(-1) : rows[0]
    if (isOld || !arriveAtRef.current || !row) return
    arriveAtRef.current = undefined
    focusRow(row.project_id)
  }, [rows, isOld, arriveAtRef])

  // After Back, focus the project's row. `onRendered` follows the router's own focus and scroll restoration.
  useEffect(() => {
    const id = getSavedReportCursor(router.history)
    if (id === undefined) return
    const stop = router.subscribe('onRendered', () => {
      stop()
      focusRow(id)
    })
    return stop
  }, [router])

  return tools.help && <ShortcutHelpDialog onClose={() => tools.showHelp(false)} screens={screens} />
}
