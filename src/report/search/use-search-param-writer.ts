import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import type { SearchParam } from './search-field.ts'

const TYPING_DEBOUNCE_MS = 300

function getOtherParams(search: ReportSearch, name: SearchParam): ReportSearch {
  const { [name]: _value, page: _page, ...otherParams } = search
  return otherParams
}

/** Writes one search parameter of the report as it is typed (`useSearchTextWriter`). Key the component by `name`. */
export function useSearchParamWriter(
  name: SearchParam,
  search: ReportSearch,
  change: ChangeReportSearchFn,
  toValue: (text: string) => ReportSearch[SearchParam],
  onForeign: () => void,
) {
  const currentValue = search[name]
  return useSearchTextWriter({
    currentText: currentValue === undefined ? '' : (formatReportSearch({ [name]: currentValue })[name] ?? ''),
    context: `${name} ${JSON.stringify(formatReportSearch(getOtherParams(search, name)))}`,
    write: (text, mode) => change({ [name]: text === '' ? undefined : toValue(text) }, mode),
    onForeign,
  })
}

type SearchTextWriterOptions = {
  /** Text of the parameter in the URL. */
  currentText: string
  /** Values of the other parameters. */
  context: string
  write: (text: string, mode: 'push' | 'replace') => void
  /** Called when something else changed the URL (Back, a link, "clear all"). */
  onForeign: () => void
}

/**
 * Writes a text to the URL so that Back removes a search in one step: the first keystroke pushes, the following ones
 * replace that entry until a commit or another filter change.
 */
export function useSearchTextWriter({ currentText, context, write, onForeign }: SearchTextWriterOptions) {
  const [pendingText, setPendingText] = useState<{ readonly text: string }>()
  /** The other parameters when typing pushed its history entry, which it may replace while they are unchanged. */
  const typingStep = useRef<string>(undefined)
  const sentTexts = useRef<string[]>([])
  const lastText = useRef(currentText)

  useOnChange(currentText, () => {
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
    onForeign()
  })

  const send = (text: string) => {
    sentTexts.current.push(text)
    write(text, typingStep.current === context ? 'replace' : 'push')
  }
  const sendPending = useEffectEvent((text: string) => {
    setPendingText(undefined)
    if (text === currentText) return
    send(text)
    typingStep.current = context
  })
  useEffect(() => {
    if (pendingText === undefined) return
    const timer = setTimeout(() => sendPending(pendingText.text), TYPING_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [pendingText])
  return {
    /** Writes the text to the URL after the debounce. */
    type: (text = '') => setPendingText({ text }),
    commit: (text = '') => {
      setPendingText(undefined)
      if (text !== currentText) send(text)
      typingStep.current = undefined
    },
  }
}
