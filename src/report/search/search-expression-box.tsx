import { useState } from 'react'
import { extractProjectId } from '#contract/catalogue/project-id.ts'
import { parseReportExpression } from '#contract/report/report-param-kinds.ts'
import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import type { SearchError } from '#contract/search/search-grammar.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import type { SearchExpressionParam } from './search-field.ts'
import { type ReportSearchBoxProps, ReportSearchFrame, SearchTextInput } from './search-frame.tsx'
import { hasSearchOperators } from './search-operator-suggestions.ts'
import { OpenProjectOffer, SearchInterpretationLine } from './search-suggestions.tsx'
import { useSearchParamWriter } from './use-search-param-writer.ts'

const OPERATOR_BUTTONS = [
  { sign: '##', th: 'และ' },
  { sign: '||', th: 'หรือ' },
  { sign: '<<', th: 'ไม่เอา' },
  { sign: '()', th: 'วงเล็บ' },
] as const

/** Invalid input never reaches the URL. Enter on a pasted project number opens the project. */
export function SearchExpressionBox(props: ReportSearchBoxProps & { name: SearchExpressionParam }) {
  const { name, field, search, change, total, inputRef, onOpenProject, tools } = props
  const inAddress = search[name] ?? ''
  const [text, setText] = useState(inAddress)
  const showAddress = () => setText(inAddress)
  const writer = useSearchParamWriter(name, search, change, (expression) => expression, showAddress)
  const expression = text.trim()
  const parsed = expression === '' ? undefined : parseReportExpression(name, expression)
  const error = parsed?.ok === false ? parsed.error : undefined
  const projectId = hasSearchOperators(text) ? undefined : extractProjectId(text)

  const onType = (newText: string) => {
    setText(newText)
    const trimmed = newText.trim()
    if (trimmed === '' || parseReportExpression(name, trimmed).ok) writer.type(trimmed)
  }
  const insert = (sign: string) => {
    const input = getNamedElement('search') as HTMLInputElement | undefined
    const start = input?.selectionStart ?? text.length
    const end = input?.selectionEnd ?? text.length
    const [before, selected, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)]
    const newText = sign === '()' ? `${before}(${selected})${after}` : `${before}${selected}${sign}${after}`
    const caret = sign === '()' && selected === '' ? start + 1 : end + sign.length
    onType(newText)
    // The caret can be set only after React has rendered the new value.
    requestAnimationFrame(() => {
      input?.focus()
      input?.setSelectionRange(caret, caret)
    })
  }
  return (
    <ReportSearchFrame
      {...tools}
      refusal={error && <ErrorPosition text={expression} error={error} />}
      below={
        <>
          {projectId !== undefined && <OpenProjectOffer id={projectId} onOpen={onOpenProject} />}
          <SearchInterpretationLine
            field={field.th}
            note={field.note}
            expression={expression}
            total={expression === inAddress ? total : null}
          />
        </>
      }
      after={
        <div className="flex rounded-control border border-line text-xs">
          {OPERATOR_BUTTONS.map(({ sign, th }) => (
            <button
              key={sign}
              type="button"
              aria-label={`ใส่เครื่องหมาย ${th}`}
              onClick={() => insert(sign)}
              className="h-6 px-2 text-ink-muted hover:bg-surface-muted touch:h-11 touch:px-3"
            >
              {th} <span className="text-ink-faint">{sign}</span>
            </button>
          ))}
        </div>
      }
    >
      <SearchTextInput
        ref={inputRef}
        aria-label={`นิพจน์ค้นใน${field.th.replace(/^ใน/, '')}`}
        isRefused={error !== undefined}
        placeholder="เช่น (กล้อง||CCTV)##ติดตั้ง<<ซ่อม"
        value={text}
        onText={onType}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          if (projectId !== undefined) onOpenProject(projectId)
          else if (!error) writer.commit(expression)
        }}
        className="min-w-16"
      />
    </ReportSearchFrame>
  )
}

function ErrorPosition({ text, error }: { text: string; error: SearchError }) {
  const afterError = [...text.slice(error.position)]
  return (
    <>
      <span className="block">
        {SEARCH_ERROR_TEXTS[error.code]} (ตัวที่ {error.position + 1})
      </span>
      <span aria-hidden className="block truncate text-xs text-ink-muted">
        {text.slice(0, error.position)}
        <span className="rounded-[2px] bg-urgent-soft text-urgent underline decoration-wavy">
          {afterError[0] ?? '\u00A0\u00A0'}
        </span>
        {afterError.slice(1).join('')}
      </span>
    </>
  )
}
