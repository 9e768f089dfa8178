import { useEffect, useEffectEvent, useRef } from 'react'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import type { SearchParam } from './search-field.ts'

export const SEARCH_TYPING_DEBOUNCE_MS = 300

type SearchWriter = {
  /** Writes the text to the URL after the debounce; undefined removes the parameter. */
  type: (text: string | undefined) => void
  commit: (text: string | undefined) => void
}

/**
 * Writes one search parameter so that Back removes a search in one step: the first keystroke pushes, the following ones
 * replace that entry until a commit or another filter change. `onForeign` is called when something else changed the URL
 * (Back, a link, "clear all"). Key the component by `name`.
 */
export function useSearchParamWriter(
  name: SearchParam,
  search: ReportSearch,
  change: ChangeReportSearchFn,
  toValue: (text: string) => ReportSearch[SearchParam],
  onForeign: () => void,
): SearchWriter {
  const { [name]: currentValue, page: _page, ...otherParams } = search
  const currentText = currentValue === undefined ? '' : (formatReportSearch({ [name]: currentValue })[name] ?? '')
  const context = `${name} ${JSON.stringify(formatReportSearch(otherParams))}`
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /**
   * Values of the other parameters when this writer pushed its history entry for typing. It may replace that entry only
   * while they are unchanged.
   */
  const typingStep = useRef<string>(undefined)
  const sentTexts = useRef<string[]>([])
  const latest = useRef({ now: currentText, around: context })
  const lastText = useRef(currentText)
  const notifyForeign = useEffectEvent(onForeign)

  useEffect(() => {
    latest.current = { now: currentText, around: context }
  })
  useEffect(() => {
    if (lastText.current === currentText) return
    lastText.current = currentText
    const arrived = sentTexts.current.lastIndexOf(currentText)
    if (arrived !== -1) {
      sentTexts.current = sentTexts.current.slice(arrived + 1)
      return
    }
    sentTexts.current = []
    typingStep.current = undefined
    clearTimeout(timer.current)
    notifyForeign()
  }, [currentText])
  useEffect(() => () => clearTimeout(timer.current), [])

  const write = (text: string | undefined, mode: 'push' | 'replace') => {
    sentTexts.current.push(text ?? '')
    change({ [name]: text === undefined || text === '' ? undefined : toValue(text) }, mode)
  }
  return {
    type: (text) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        if ((text ?? '') === latest.current.now) return
        const goesOn = typingStep.current === latest.current.around
        typingStep.current = latest.current.around
        write(text, goesOn ? 'replace' : 'push')
      }, SEARCH_TYPING_DEBOUNCE_MS)
    },
    commit: (text) => {
      clearTimeout(timer.current)
      const goesOn = typingStep.current === latest.current.around
      typingStep.current = undefined
      if ((text ?? '') !== latest.current.now) write(text, goesOn ? 'replace' : 'push')
    },
  }
}
