import type { Ref } from 'react'
import { countText } from '#src/lib/money-text.ts'
import { readProjectIds } from './operator-offer.ts'
import type { BoxProps } from './search-frame.tsx'
import { useValues, ValuesBox } from './values-box.tsx'

type IdBoxProps = BoxProps & { inputRef: Ref<HTMLInputElement> }

const NOT_AN_ID = 'เลขที่โครงการมีแต่ตัวเลข วางได้หลายเลขคั่นด้วยจุลภาค เว้นวรรค หรือขึ้นบรรทัดใหม่'
/** Length of an e-GP number; the address waits for all digits instead of searching each prefix. */
const ID_LENGTH = 11

/** Searches for any of several project numbers; a pasted column becomes one chip each. */
export function IdBox({ field, search, change, total, inputRef, tools }: IdBoxProps) {
  const state = useValues('project_id__in', search, change)
  const { values: ids, draft, setRefusal } = state
  const add = (text: string) => {
    const read = readProjectIds(text)
    if (!read) return setRefusal(NOT_AN_ID)
    state.replace([...new Set([...ids, ...read])])
  }
  const onType = (text: string) => {
    const read = readProjectIds(text)
    // Several numbers, or a complete one, need no Enter.
    if (read && (read.length > 1 || read[0]?.length === ID_LENGTH)) add(text)
    else state.type(text)
  }
  return (
    <ValuesBox
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
            {field.th}: {countText(ids.length)} เลข{total === null ? '' : ` — พบ ${countText(total)} โครงการ`}
          </p>
        )
      }
    />
  )
}
