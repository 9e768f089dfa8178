import { useRouter } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { printReportSearch, type ReportSearch } from '#contract/report-params.ts'

/**
 * Back to the list. Where it lies behind in the history that step is taken, however many tabs were opened since, so that its page and
 * place are as they were left; else the report with the same filters is opened.
 */
export function useWayBack(from: ReportSearch | undefined): () => void {
  const router = useRouter()
  const { history } = router
  /** Place in the history of the first look at a project, when it was opened from the report. */
  const [opened] = useState(() =>
    // At the first drawing the router still names the screen before as the one that is shown.
    router.state.resolvedLocation?.pathname === '/report' ? history.location.state.__TSR_index : undefined,
  )
  return useCallback(() => {
    const steps = opened === undefined ? 0 : history.location.state.__TSR_index - opened + 1
    if (steps > 0) history.go(-steps)
    else void router.navigate({ to: '/report', search: printReportSearch(from ?? {}) })
  }, [router, history, opened, from])
}
