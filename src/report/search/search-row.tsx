import { type KeyboardEvent, useRef, useState } from 'react'
import { extractProjectId } from '#contract/catalogue/project-id.ts'
import type { SemanticSearchSummary } from '#contract/report/report.ts'
import { parseReportExpression } from '#contract/report/report-param-kinds.ts'
import { compileSearchChips, parseSearchChips, type SearchChip } from '#contract/search/search-chips.ts'
import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import { SEARCH_LIMITS, type SearchErrorCode } from '#contract/search/search-grammar.ts'
import { MIN_FOLDED_PHRASE_LENGTH } from '#contract/thai/fold-document-text.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { getNamedElement, nameElement } from '#src/lib/named-elements.ts'
import { SearchExpressionBox } from './search-expression-box.tsx'
import { isSearchExpressionParam, SEARCH_FIELDS, type SearchExpressionParam, type SearchParam } from './search-field.ts'
import { type ReportSearchBoxProps, ReportSearchFrame, SearchTextInput } from './search-frame.tsx'
import { hasSearchOperators, parseProjectIds } from './search-operator-suggestions.ts'
import { SearchSuggestions } from './search-suggestions.tsx'
import { SearchValuesBox, useSearchValues } from './search-values-box.tsx'
import { SearchWordList, SearchWordOperatorButtons } from './search-word-list.tsx'
import { SemanticSearchBox } from './semantic-search-box.tsx'
import { useSearchParamWriter } from './use-search-param-writer.ts'
import {
  addSearchExpression,
  addSearchWord,
  removeLastSearchWord,
  removeSearchWord,
  type SearchWordOperator,
} from './word-chips.ts'

type WordBoxProps = ReportSearchBoxProps & { name: SearchExpressionParam; onOpenExpression: () => void }

const isLongEnough = (text: string, name: SearchExpressionParam) =>
  toNormalisedSearchText(text).length >=
  (name === 'document_text__in' ? MIN_FOLDED_PHRASE_LENGTH : SEARCH_LIMITS.termLength)

/** Operators in the typed text and the preceding words, for offering a search for these characters as plain text. */
type TypedSigns = { readonly text: string; readonly items: readonly SearchChip[]; readonly joiner: SearchWordOperator }

function expressionProblem(name: SearchExpressionParam, expression: string): SearchErrorCode | undefined {
  const parsed = expression === '' ? undefined : parseReportExpression(name, expression)
  return parsed?.ok === false ? parsed.error.code : undefined
}

/**
 * Box for a word search: the user types, presses Enter and chooses how the next word joins. The URL is updated while
 * typing. Typed operators work, and the user may search for them literally instead. Enter on a pasted project number
 * opens the project.
 */
function WordBox(props: WordBoxProps) {
  const { name, field, search, change, total, inputRef, onOpenExpression, onOpenProject, tools } = props
  const inAddress = search[name] ?? ''
  const [items, setItems] = useState<readonly SearchChip[]>(() => parseSearchChips(name, inAddress))
  const [draft, setDraft] = useState('')
  const [joiner, setJoiner] = useState<SearchWordOperator>('and')
  const [refusal, setRefusal] = useState<SearchErrorCode>()
  const [acceptedSigns, setAcceptedSigns] = useState<TypedSigns>()
  const showAddress = () => {
    setItems(parseSearchChips(name, inAddress))
    setDraft('')
    setRefusal(undefined)
    setAcceptedSigns(undefined)
  }
  const writer = useSearchParamWriter(name, search, change, (text) => text, showAddress)
  const projectId = extractProjectId(draft)
  const itemsWith = (text: string) => {
    const id = name === 'project_search__in' ? extractProjectId(text) : undefined
    if (id) return addSearchWord(items, name, id, joiner)
    if (hasSearchOperators(text)) {
      const typed = text.trim()
      return expressionProblem(name, typed) === undefined ? addSearchExpression(items, name, typed, joiner) : items
    }
    return isLongEnough(text, name) ? addSearchWord(items, name, text, joiner) : items
  }
  const withDraft = itemsWith(draft)
  const expression = compileSearchChips(withDraft)
  const signs = hasSearchOperators(draft) ? { text: draft.trim(), items, joiner } : acceptedSigns

  const writeItems = (newItems: readonly SearchChip[]) => {
    const text = compileSearchChips(newItems)
    const problem = expressionProblem(name, text)
    setRefusal(problem)
    if (problem) return false
    setItems(newItems)
    setAcceptedSigns(undefined)
    writer.commit(text)
    return true
  }
  /** Returns false and shows the reason if the text is not searchable. */
  const commitDraft = () => {
    const problem = hasSearchOperators(draft)
      ? expressionProblem(name, draft.trim())
      : isLongEnough(draft, name)
        ? undefined
        : name === 'document_text__in'
          ? 'E_SHORT_DOCUMENT'
          : 'E_SHORT'
    if (problem) setRefusal(problem)
    if (problem || !writeItems(withDraft)) return false
    setDraft('')
    if (hasSearchOperators(draft)) setAcceptedSigns(signs)
    return true
  }
  const onType = (text: string) => {
    setDraft(text)
    setAcceptedSigns(undefined)
    // The expression is incomplete, so wait for the second operand before showing an error.
    if (hasSearchOperators(text) && expressionProblem(name, text.trim())) return setRefusal(undefined)
    const newExpression = compileSearchChips(itemsWith(text))
    const problem = expressionProblem(name, newExpression)
    setRefusal(problem)
    if (!problem) writer.type(newExpression)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      if (projectId) onOpenProject(projectId)
      else if (draft.trim() === '') writer.commit(compileSearchChips(items))
      else commitDraft()
    }
    if (event.key === 'Backspace' && draft === '' && items.length > 0) writeItems(removeLastSearchWord(items))
    if (event.key === 'Escape' && draft !== '') {
      setDraft('')
      setRefusal(undefined)
      writer.commit(compileSearchChips(items))
    }
  }
  return (
    <ReportSearchFrame
      {...tools}
      refusal={refusal && SEARCH_ERROR_TEXTS[refusal]}
      below={
        (expression !== '' || draft !== '') && (
          <SearchSuggestions
            field={field.th}
            note={field.note}
            expression={expression}
            total={expression === inAddress ? total : null}
            draft={draft}
            projectId={projectId}
            onOpenProject={onOpenProject}
            onTake={(offer) => {
              if (writeItems(addSearchExpression(items, name, offer, joiner))) setDraft('')
              focusInput()
            }}
            signs={signs?.text}
            onTakeSigns={() => {
              if (signs && writeItems(addSearchWord(signs.items, name, signs.text, signs.joiner))) setDraft('')
              focusInput()
            }}
          />
        )
      }
      after={
        (items.length > 0 || draft !== '') && (
          <SearchWordOperatorButtons
            value={joiner}
            onChoose={(newJoiner) => {
              if (hasSearchOperators(draft) || isLongEnough(draft, name)) commitDraft()
              setJoiner(newJoiner)
              focusInput()
            }}
          />
        )
      }
    >
      {items.length > 0 && (
        <SearchWordList
          items={items}
          onRemove={(itemIndex, wordIndex) => writeItems(removeSearchWord(items, itemIndex, wordIndex))}
          onOpenExpression={onOpenExpression}
        />
      )}
      <SearchTextInput
        ref={inputRef}
        aria-label={`คำค้นใน${field.th.replace(/^ใน/, '')}`}
        isRefused={refusal !== undefined}
        placeholder={items.length === 0 ? field.placeholder : ''}
        value={draft}
        onText={onType}
        onKeyDown={onKeyDown}
      />
    </ReportSearchFrame>
  )
}

const focusInput = () => getNamedElement('search')?.focus()

type SearchRowProps = Pick<ReportSearchBoxProps, 'search' | 'change' | 'total' | 'onOpenProject'> & {
  name: SearchParam
  onFieldChange: (name: SearchParam) => void
  deep?: SemanticSearchSummary | null | undefined
}

export function ReportSearchRow({
  name,
  onFieldChange,
  search,
  change,
  total,
  deep = null,
  onOpenProject,
}: SearchRowProps) {
  const [mode, setMode] = useState<'words' | 'expression'>('words')
  // Switching mode or field mounts a new box; a lost focus would turn keys into page shortcuts.
  const focusNext = useRef<'input' | 'field'>(undefined)
  const focusWhenDrawn = (focusTarget: 'input' | 'field', element: HTMLElement | null) => {
    if (!element || focusNext.current !== focusTarget) return
    focusNext.current = undefined
    element.focus()
  }
  const inputRef = (element: HTMLElement | null) => {
    focusWhenDrawn('input', element)
    return nameElement('search')(element)
  }
  const fieldRef = (element: HTMLElement | null) => focusWhenDrawn('field', element)
  const showMode = (newMode: 'words' | 'expression') => {
    focusNext.current = 'input'
    setMode(newMode)
  }
  const field = SEARCH_FIELDS.find((candidate) => candidate.name === name) ?? SEARCH_FIELDS[0]
  const isPlain = !isSearchExpressionParam(name)
  const tools = {
    name,
    onFieldChange: (newField: SearchParam) => {
      focusNext.current = 'field'
      onFieldChange(newField)
      // When the user narrows the search from all fields to one, carry the words over.
      const words = name === 'project_search__in' ? search.project_search__in : undefined
      if (
        words !== undefined &&
        isSearchExpressionParam(newField) &&
        search[newField] === undefined &&
        !expressionProblem(newField, words)
      )
        change({ project_search__in: undefined, [newField]: words })
    },
    fieldRef,
    mode: isPlain ? undefined : mode,
    onModeChange: showMode,
    onClear: search[name] === undefined ? undefined : () => change({ [name]: undefined }),
  }
  const box = { field, search, change, total, deep, tools, inputRef, onOpenProject }
  if (!isPlain && mode === 'words')
    return <WordBox key={name} name={name} onOpenExpression={() => showMode('expression')} {...box} />
  if (name === 'project_id__in') return <ProjectIdSearchBox {...box} />
  if (name === 'ai_deep_search__in') return <SemanticSearchBox {...box} />
  return <SearchExpressionBox key={name} name={name} {...box} />
}

const NOT_AN_ID_TEXT = 'เลขที่โครงการมีแต่ตัวเลข วางได้หลายเลขคั่นด้วยจุลภาค เว้นวรรค หรือขึ้นบรรทัดใหม่'
/** Length of an e-GP project number. The URL changes once all digits are typed, instead of for each prefix. */
const ID_LENGTH = 11

function ProjectIdSearchBox({ field, search, change, total, inputRef, tools }: ReportSearchBoxProps) {
  const state = useSearchValues('project_id__in', search, change)
  const { values: ids, draft, setRefusal } = state
  const add = (text: string) => {
    const newIds = parseProjectIds(text)
    if (!newIds) return setRefusal(NOT_AN_ID_TEXT)
    state.replace([...new Set([...ids, ...newIds])])
  }
  const onType = (text: string) => {
    const newIds = parseProjectIds(text)
    if (newIds && (newIds.length > 1 || newIds[0]?.length === ID_LENGTH)) add(text)
    else state.type(text)
  }
  return (
    <SearchValuesBox
      state={state}
      field={field}
      tools={tools}
      label="เลขที่โครงการ"
      inputRef={inputRef}
      inputMode="numeric"
      onType={onType}
      onEnter={() => draft.trim() !== '' && add(draft)}
      // Intercept pasted columns here, because a text input drops line breaks.
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text')
        if (!/\s/.test(pasted.trim())) return
        event.preventDefault()
        add(pasted)
      }}
      below={
        ids.length > 0 && (
          <p className="text-xs text-ink-muted">
            {field.th}: {formatCount(ids.length)} เลข
            {total === null ? '' : ` — พบ ${formatCount(total)} โครงการ`}
          </p>
        )
      }
    />
  )
}
