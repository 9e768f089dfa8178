import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import type { SearchParam } from './search-field.ts'

export const SEARCH_TYPING_DEBOUNCE_MS = 300

function getOtherParams(search: ReportSearch, name: SearchParam): ReportSearch {
  const { [name]: _value, page: _page, ...otherParams } = search
  return otherParams
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
) {
  const currentValue = search[name]
  const currentText = currentValue === undefined ? '' : (formatReportSearch({ [name]: currentValue })[name] ?? '')
  const context = `${name} ${JSON.stringify(formatReportSearch(getOtherParams(search, name)))}`
  const [pendingText, setPendingText] = useState<{ readonly text: string | undefined }>()
  /**
   * Values of the other parameters when this writer pushed its history entry for typing. It may replace that entry only
   * while they are unchanged.
   */
  const typingStep = useRef<string>(undefined)
  const sentTexts = useRef<string[]>([])
  const lastText = useRef(currentText)
  const notifyForeign = useEffectEvent(onForeign)

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
    setPendingText(undefined)
    notifyForeign()
  }, [currentText])

  const write = (text: string | undefined, mode: 'push' | 'replace') => {
    sentTexts.current.push(text ?? '')
    change({ [name]: text === undefined || text === '' ? undefined : toValue(text) }, mode)
  }
  const writePending = useEffectEvent((text: string | undefined) => {
    setPendingText(undefined)
    if ((text ?? '') === currentText) return
    const continuesTyping = typingStep.current === context
    typingStep.current = context
    write(text, continuesTyping ? 'replace' : 'push')
  })
  useEffect(() => {
    if (pendingText === undefined) return
    const timer = setTimeout(() => writePending(pendingText.text), SEARCH_TYPING_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [pendingText])
  return {
    /** Writes the text to the URL after the debounce; undefined removes the parameter. */
    type: (text: string | undefined) => setPendingText({ text }),
    commit: (text: string | undefined) => {
      setPendingText(undefined)
      const continuesTyping = typingStep.current === context
      typingStep.current = undefined
      if ((text ?? '') !== currentText) write(text, continuesTyping ? 'replace' : 'push')
    },
  }
}
