import type { Ref } from 'react'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import type { ReportSearchBoxProps } from './search-frame.tsx'
import { parseProjectIds } from './search-operator-suggestions.ts'
import { SearchValuesBox, useSearchValues } from './search-values-box.tsx'

type IdBoxProps = ReportSearchBoxProps & { inputRef: Ref<HTMLInputElement> }

const NOT_AN_ID_TEXT = 'เลขที่โครงการมีแต่ตัวเลข วางได้หลายเลขคั่นด้วยจุลภาค เว้นวรรค หรือขึ้นบรรทัดใหม่'
/** Length of an e-GP project number. The URL changes once all digits are typed, instead of for each prefix. */
const ID_LENGTH = 11

export function ProjectIdSearchBox({ field, search, change, total, inputRef, tools }: IdBoxProps) {
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
            {field.th}: {formatCountWithSeparators(ids.length)} เลข
            {total === null ? '' : ` — พบ ${formatCountWithSeparators(total)} โครงการ`}
          </p>
        )
      }
    />
  )
}
