import { useEffect, useEffectEvent, useRef } from 'react'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import type { SearchParam } from './search-field.ts'

/** Delay after typing before the address is updated. */
export const TYPING_DEBOUNCE_MS = 300

type Writer = {
  /** Writes after the debounce; undefined removes the parameter. */
  type: (text: string | undefined) => void
  /** Writes immediately: Enter, a chip, a button. */
  commit: (text: string | undefined) => void
}

/**
 * Writes one search parameter so that Back removes a search in one step: the first keystroke pushes, the following ones
 * replace that entry until a commit or another filter change. `onForeign` is called when the address changed otherwise
 * (Back, a link, "clear all"). Key the component by `name`.
 */
export function useSearchWriter(
  name: SearchParam,
  search: ReportSearch,
  change: ChangeReport,
  toValue: (text: string) => ReportSearch[SearchParam],
  onForeign: () => void,
): Writer {
  const { [name]: own, page: _page, ...rest } = search
  const now = own === undefined ? '' : (printReportSearch({ [name]: own })[name] ?? '')
  const around = `${name} ${JSON.stringify(printReportSearch(rest))}`
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /**
   * Other parameters when this writer pushed its typing step; it may replace that entry only while they are unchanged.
   */
  const step = useRef<string>(undefined)
  const sent = useRef<string[]>([])
  const latest = useRef({ now, around })
  const seen = useRef(now)
  const notifyForeign = useEffectEvent(onForeign)

  useEffect(() => {
    latest.current = { now, around }
  })
  useEffect(() => {
    if (seen.current === now) return
    seen.current = now
    const arrived = sent.current.lastIndexOf(now)
    if (arrived !== -1) {
      sent.current = sent.current.slice(arrived + 1)
      return
    }
    sent.current = []
    step.current = undefined
    clearTimeout(timer.current)
    notifyForeign()
  }, [now])
  useEffect(() => () => clearTimeout(timer.current), [])

  const write = (text: string | undefined, how: 'push' | 'replace') => {
    sent.current.push(text ?? '')
    change({ [name]: text === undefined || text === '' ? undefined : toValue(text) }, how)
  }
  return {
    type: (text) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        if ((text ?? '') === latest.current.now) return
        const goesOn = step.current === latest.current.around
        step.current = latest.current.around
        write(text, goesOn ? 'replace' : 'push')
      }, TYPING_DEBOUNCE_MS)
    },
    commit: (text) => {
      clearTimeout(timer.current)
      const goesOn = step.current === latest.current.around
      step.current = undefined
      if ((text ?? '') !== latest.current.now) write(text, goesOn ? 'replace' : 'push')
    },
  }
}
