import { useEffect, useState } from 'react'
import {
  fitsSemanticSearchLimits,
  getSimilarityLevel,
  SEMANTIC_SEARCH_LIMITS_MESSAGE,
} from '#contract/search/deep-search.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { ReportSearchBoxProps } from './search-frame.tsx'
import { SearchValuesBox, useSearchValues } from './search-values-box.tsx'

/** A single letter would match everything. */
const TOO_SHORT_TEXT = 'พิมพ์อย่างน้อย 2 ตัวอักษร'
const MAX_TERMS = 6
const MAX_DRAFT_LENGTH = 1_000

export function SemanticSearchBox({ field, search, change, total, deep, inputRef, tools }: ReportSearchBoxProps) {
  const state = useSearchValues('ai_deep_search__in', search, change)
  const { values: sentences, draft, setRefusal } = state
  const add = () => {
    const texts = draft
      .split('||')
      .map((text) => text.trim())
      .filter(Boolean)
    if (texts.length === 0) return
    if (texts.some((text) => toNormalisedSearchText(text).length < 2)) return setRefusal(TOO_SHORT_TEXT)
    const allSentences = [...new Set([...sentences, ...texts])]
    if (!fitsSemanticSearchLimits(allSentences)) return setRefusal(SEMANTIC_SEARCH_LIMITS_MESSAGE)
    state.replace(allSentences)
  }
  return (
    <SearchValuesBox
      state={state}
      field={field}
      tools={tools}
      label={field.th}
      inputRef={inputRef}
      maxLength={MAX_DRAFT_LENGTH}
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
              {total === null ? '' : ` — พบ ${formatCount(total)} โครงการ เรียงที่ใกล้เคียงที่สุดก่อน`}
            </p>
          )}
          {sentences.length > 0 && (
            <Threshold
              from={search.ai_deep_from ?? 0}
              onChange={(from) => change({ ai_deep_from: from || undefined, page: undefined }, 'replace')}
            />
          )}
          {deep?.sentences
            .filter(({ sentence }) => sentences.includes(sentence))
            .map(({ sentence, known: isKnown, terms }) => (
              <p key={sentence} className="text-ink-faint">
                {isKnown
                  ? `‘${sentence}’ รวมคำใกล้เคียง เช่น ${terms.slice(1, MAX_TERMS).join(', ')}`
                  : `ระบบยังไม่รู้จักคำใกล้เคียงของ ‘${sentence}’ จึงพบเฉพาะชื่อที่มีตัวอักษรตรงกัน`}
              </p>
            ))}
          {deep && sentences.length > 0 && <p className="text-ink-faint">{deep.engine}</p>}
        </div>
      }
    />
  )
}

const SLIDER_DEBOUNCE_MS = 300
const STEP = 5

function Threshold({ from, onChange }: { from: number; onChange: (from: number) => void }) {
  const [value, setValue] = useState(from)
  const [lastFrom, setLastFrom] = useState(from)
  // Navigation changed the value, so show the new one; the slider keeps the focus.
  if (lastFrom !== from) {
    setLastFrom(from)
    setValue(from)
  }
  useEffect(() => {
    if (value === from) return undefined
    const timer = setTimeout(() => onChange(value), SLIDER_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value, from, onChange])
  const words = value === 0 ? 'ทั้งหมด' : `${value}% ขึ้นไป (${getSimilarityLevel(value / 100).th})`
  return (
    <label className="flex flex-wrap items-center gap-x-3 py-1">
      <span className="min-w-48">
        ความใกล้เคียง: <span className="font-medium text-ink tabular-nums">{words}</span>
      </span>
      <input
        type="range"
        min={0}
        max={100}
        step={STEP}
        value={value}
        aria-label="ความใกล้เคียงอย่างน้อย"
        aria-valuetext={words}
        onChange={(event) => setValue(Number(event.currentTarget.value))}
        className="h-6 min-w-40 flex-1 cursor-pointer accent-accent touch:h-11"
      />
    </label>
  )
}
