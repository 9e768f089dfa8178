import { type InputHTMLAttributes, type KeyboardEvent, type ReactNode, useState } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { type ReportSearchBoxProps, ReportSearchFrame, SearchTextInput } from './search-frame.tsx'
import { SearchWordList } from './search-word-list.tsx'
import { useSearchParamWriter } from './use-search-param-writer.ts'

type ValuesParam = 'project_id__in' | 'ai_deep_search__in'

export function useSearchValues(name: ValuesParam, search: ReportSearch, change: ChangeReportSearchFn) {
  const values: readonly string[] = search[name] ?? []
  const [draft, setDraft] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const clearDraft = () => setDraft('')
  const writer = useSearchParamWriter(name, search, change, (text) => text.split('||'), clearDraft)
  return {
    name,
    values,
    draft,
    refusal,
    setRefusal,
    type: (text: string) => {
      setRefusal(undefined)
      setDraft(text)
    },
    replace: (newValues: readonly string[]) => {
      setDraft('')
      setRefusal(undefined)
      writer.commit(newValues.join('||'))
    },
    remove: (index: number) => writer.commit(values.toSpliced(index, 1).join('||')),
  }
}

type ValuesBoxProps = Pick<ReportSearchBoxProps, 'field' | 'tools' | 'inputRef'> &
  Pick<InputHTMLAttributes<HTMLInputElement>, 'inputMode' | 'maxLength' | 'onPaste'> & {
    state: ReturnType<typeof useSearchValues>
    label: string
    onType: (text: string) => void
    onEnter: () => void
    below: ReactNode
  }

export function SearchValuesBox(props: ValuesBoxProps) {
  const { state, field, tools, label, inputRef, onType, onEnter, below, ...input } = props
  const { name, values, draft, refusal, type, remove } = state
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') onEnter()
    if (event.key === 'Backspace' && draft === '' && values.length > 0) remove(values.length - 1)
    if (event.key === 'Escape') type('')
  }
  return (
    <ReportSearchFrame {...tools} refusal={refusal} below={below}>
      <SearchWordList
        items={values.length === 0 ? [] : [{ key: name, value: values, negation: false }]}
        onRemove={(_item, index) => remove(index)}
        onOpenExpression={() => undefined}
      />
      <SearchTextInput
        {...input}
        ref={inputRef}
        aria-label={label}
        isRefused={refusal !== undefined}
        placeholder={values.length === 0 ? field.placeholder : ''}
        value={draft}
        onText={onType}
        onKeyDown={onKeyDown}
      />
    </ReportSearchFrame>
  )
}
