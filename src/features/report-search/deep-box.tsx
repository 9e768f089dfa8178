import type { Ref } from 'react'
import { DEEP_SEARCH_LIMITS_TEXT, fitsDeepSearch } from '#contract/search/deep-search.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { countText } from '#src/lib/money-text.ts'
import type { BoxProps } from './search-frame.tsx'
import { useValues, ValuesBox } from './values-box.tsx'

/** One letter means everything, and an operator here is somebody who took the wrong field. */
const TOO_SHORT = 'พิมพ์อย่างน้อย 2 ตัวอักษร'
const MOST_TERMS = 6
/** Several values may be typed or pasted at once; what is too much is said, not cut. */
const LONGEST_DRAFT = 1_000

/** Searching by meaning: each word or phrase stands for its similar terms as well, any of them is enough. */
export function DeepBox({
  field,
  search,
  change,
  total,
  deep,
  inputRef,
  tools,
}: BoxProps & { inputRef: Ref<HTMLInputElement> }) {
  const state = useValues('ai_deep_search__in', search, change)
  const { values: sentences, draft, setRefusal } = state
  const add = () => {
    const texts = draft
      .split('||')
      .map((text) => text.trim())
      .filter(Boolean)
    if (texts.length === 0) return
    if (texts.some((text) => searchForm(text).length < 2)) return setRefusal(TOO_SHORT)
    const all = [...new Set([...sentences, ...texts])]
    if (!fitsDeepSearch(all)) return setRefusal(DEEP_SEARCH_LIMITS_TEXT)
    state.replace(all)
  }
  return (
    <ValuesBox
      state={state}
      field={field}
      tools={tools}
      label={field.th}
      inputRef={inputRef}
      spellCheck={false}
      maxLength={LONGEST_DRAFT}
      onType={state.type}
      onEnter={add}
      below={
        <div className="text-xs text-ink-muted">
          {sentences.length === 0 ? (
            <p>
              พบทั้งคำที่พิมพ์และคำใกล้เคียงที่ระบบเรียนรู้จากชื่อโครงการ e-GP เรียงที่ใกล้เคียงที่สุดก่อน ค้นจากชื่อโครงการเท่านั้น พิมพ์แล้วกด Enter
            </p>
          ) : (
            <p>
              {field.th}: {sentences.join(' หรือ ')}
              {total === null ? '' : ` — พบ ${countText(total)} โครงการ เรียงที่ใกล้เคียงที่สุดก่อน`}
            </p>
          )}
          {deep?.sentences
            .filter(({ sentence }) => sentences.includes(sentence))
            .map(({ sentence, known, terms }) => (
              <p key={sentence} className="text-ink-faint">
                {known
                  ? `‘${sentence}’ รวมคำใกล้เคียง เช่น ${terms.slice(1, MOST_TERMS).join(', ')}`
                  : `ระบบยังไม่รู้จักคำใกล้เคียงของ ‘${sentence}’ จึงพบเฉพาะชื่อที่มีตัวอักษรตรงกัน`}
              </p>
            ))}
          {deep && sentences.length > 0 && <p className="text-ink-faint">{deep.engine}</p>}
        </div>
      }
    />
  )
}
