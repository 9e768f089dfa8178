import { useCallback, useRef, useState } from 'react'
import type { DeepSearch } from '#contract/report.ts'
import type { ReportSearch } from '#contract/report-params.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import { Part } from '#src/ui/part.tsx'
import { SEARCH_FIELDS, type SearchParam } from './search-field.ts'
import { WordBox } from './word-box.tsx'

// Most searches are words; the other boxes come when they are asked for.
const loadExpression = () => import('./expression-box.tsx')
const ExpressionBox = lazyPart(loadExpression, 'ExpressionBox')
const DeepBox = lazyPart(() => import('./deep-box.tsx'), 'DeepBox')
const IdBox = lazyPart(() => import('./id-box.tsx'), 'IdBox')

type SearchRowProps = {
  /** Which parameter the box shows and writes. */
  name: SearchParam
  onFieldChange: (name: SearchParam) => void
  search: ReportSearch
  change: ChangeReport
  /** Projects found by the address; null while that is not known. */
  total: number | null
  deep?: DeepSearch | null | undefined
}

/** The search box of the report: words joined by and, or, not, or one expression, in one of five fields. */
export function SearchRow({ name, onFieldChange, search, change, total, deep = null }: SearchRowProps) {
  const [mode, setMode] = useState<'words' | 'expression'>('words')
  // Another mode or field is another box: without this the focus falls to the page, whose keys are shortcuts.
  const focusNext = useRef<'input' | 'field'>(undefined)
  const focusWhenDrawn = useCallback((part: 'input' | 'field', element: HTMLElement | null) => {
    if (!element || focusNext.current !== part) return
    focusNext.current = undefined
    element.focus()
  }, [])
  const inputRef = useCallback((element: HTMLElement | null) => focusWhenDrawn('input', element), [focusWhenDrawn])
  const fieldRef = useCallback((element: HTMLElement | null) => focusWhenDrawn('field', element), [focusWhenDrawn])
  const showMode = async (next: 'words' | 'expression') => {
    // The box that has the focus stays until the other one can be drawn. What cannot be loaded is said where it would stand.
    if (next === 'expression') await loadExpression().catch(() => undefined)
    focusNext.current = 'input'
    setMode(next)
  }
  const field = SEARCH_FIELDS.find((known) => known.name === name) ?? SEARCH_FIELDS[0]!
  const isPlain = name === 'project_id__in' || name === 'ai_deep_search__in'
  const tools = {
    name,
    onFieldChange: (next: SearchParam) => {
      focusNext.current = 'field'
      onFieldChange(next)
    },
    fieldRef,
    mode: isPlain ? undefined : mode,
    onModeChange: (next: 'words' | 'expression') => void showMode(next),
    onClear: search[name] === undefined ? undefined : () => change({ [name]: undefined }),
  }
  const box = { field, search, change, total, deep, tools, inputRef }
  if (!isPlain && mode === 'words') {
    return <WordBox key={name} name={name} onOpenExpression={() => void showMode('expression')} {...box} />
  }
  return (
    <Part fallback={<div className="h-9 flex-1 rounded-control border border-control bg-surface touch:h-11" />}>
      {name === 'project_id__in' ? (
        <IdBox {...box} />
      ) : name === 'ai_deep_search__in' ? (
        <DeepBox {...box} />
      ) : (
        <ExpressionBox key={name} name={name} {...box} />
      )}
    </Part>
  )
}
