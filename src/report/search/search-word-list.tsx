import { X } from 'lucide-react'
import { Fragment, useLayoutEffect, useRef, useState } from 'react'
import type { SearchChip } from '#contract/search/search-chips.ts'
import { classNames } from '#src/lib/class-names.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { getSearchChipWords, SEARCH_WORD_OPERATORS, type SearchWordOperator } from './word-chips.ts'

type WordListProps = {
  items: readonly SearchChip[]
  onRemove: (itemIndex: number, wordIndex: number) => void
  onOpenExpression: () => void
}

export function SearchWordList({ items, onRemove, onOpenExpression }: WordListProps) {
  const words = withReactKeys(items, (item) => getSearchChipWords(item)[0] ?? '').map(({ key, item }, itemIndex) => {
    const itemWords = getSearchChipWords(item)
    const isFirstNegated = item.negation && !items[itemIndex - 1]?.negation
    return (
      <Fragment key={key}>
        {item.negation && isFirstNegated && <span className="shrink-0 text-xs text-urgent">ไม่เอา</span>}
        {!item.negation && itemIndex > 0 && <span className="shrink-0 text-xs text-ink-faint">และ</span>}
        {itemWords.map((word, wordIndex) => (
          <Fragment key={word}>
            {wordIndex > 0 && !item.negation && <span className="shrink-0 text-xs text-ink-faint">หรือ</span>}
            <span
              data-search-word
              className={classNames(
                'inline-flex max-w-full items-center rounded-[5px] text-sm data-behind:invisible search-open:data-behind:visible',
                itemIndex + wordIndex === 0 ? 'min-w-14 shrink search-open:shrink-0' : 'shrink-0',
                item.negation ? 'bg-urgent-soft text-urgent' : 'bg-surface-muted',
              )}
            >
              {item.isIgnoreEncode ? (
                <button
                  type="button"
                  title="แก้นิพจน์"
                  onClick={onOpenExpression}
                  className="min-w-0 truncate rounded-[5px] py-px pl-2 hover:underline touch:py-2"
                >
                  {word}
                </button>
              ) : (
                <span className="min-w-0 truncate py-px pl-2 touch:py-2">{word}</span>
              )}
              <button
                type="button"
                aria-label={`เอาคำว่า ${word} ออก`}
                onClick={() => onRemove(itemIndex, wordIndex)}
                className="inline-flex size-6 shrink-0 items-center justify-center rounded-[5px] opacity-70 hover:opacity-100 touch:size-11"
              >
                <X aria-hidden className="size-3" />
              </button>
            </span>
          </Fragment>
        ))}
      </Fragment>
    )
  })
  return (
    <>
      {words}
      <ClippedSearchWordCount />
    </>
  )
}

const INPUT_PX = 24
const COUNTER_PX = 32

/** Hides the words that do not fit the line, so that none is cut off. The first word shrinks instead. */
function markHiddenWords(box: HTMLElement): number {
  const words = [...box.children].filter((child) => child.hasAttribute('data-search-word')).slice(1)
  const edge = box.getBoundingClientRect().right - INPUT_PX
  const isClipped = (limit: number) => (word: Element) => word.getBoundingClientRect().right > limit
  const limit = words.some(isClipped(edge)) ? edge - COUNTER_PX : edge
  const hidden = new Set(words.filter(isClipped(limit)))
  for (const word of words) word.toggleAttribute('data-behind', hidden.has(word))
  return hidden.size
}

function ClippedSearchWordCount() {
  const counter = useRef<HTMLSpanElement>(null)
  const [hidden, setHidden] = useState(0)
  // Runs after every render, because the sibling words may have changed.
  useLayoutEffect(() => {
    const box = counter.current?.parentElement
    if (!box) return
    const measure = () => setHidden(markHiddenWords(box))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  })
  return (
    <span
      ref={counter}
      title={hidden > 0 ? `ยังมีคำค้นอีก ${hidden} คำ` : undefined}
      className="pointer-events-none sticky right-6 shrink-0 bg-surface text-sm text-ink-muted tabular-nums search-open:hidden"
    >
      {hidden > 0 && (
        <>
          <span aria-hidden className="px-1">
            +{hidden}
          </span>
          <span className="sr-only">และอีก {hidden} คำ</span>
        </>
      )}
    </span>
  )
}

type JoinerButtonsProps = { value: SearchWordOperator; onChoose: (joiner: SearchWordOperator) => void }

export function SearchWordOperatorButtons({ value, onChoose }: JoinerButtonsProps) {
  return (
    <fieldset className="flex shrink-0 rounded-control border border-line text-xs">
      <legend className="sr-only">คำถัดไป</legend>
      {SEARCH_WORD_OPERATORS.map(({ code, th }) => (
        <button
          key={code}
          type="button"
          aria-pressed={code === value}
          onClick={() => onChoose(code)}
          className={classNames(
            'h-6 px-2 first:rounded-l-[5px] last:rounded-r-[5px] touch:h-11 touch:min-w-11 touch:px-3',
            code !== value && 'text-ink-muted hover:bg-surface-muted',
            code === value &&
              (code === 'not'
                ? 'bg-urgent-soft font-medium text-urgent'
                : 'bg-accent-soft font-medium text-accent-ink'),
          )}
        >
          {th}
        </button>
      ))}
    </fieldset>
  )
}
