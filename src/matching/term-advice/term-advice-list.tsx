import type { LucideIcon } from 'lucide-react'
import { useId, useRef } from 'react'
import type { KeywordTermAddition, KeywordTermAdvice } from '#contract/matching/term-advice.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { dismissKeywordTermAdvice } from '#src/matching/api/term-advice.ts'
import { TermSampleTitles } from '#src/matching/keyword-terms/term-row.tsx'
import { Button } from '#src/ui/button.tsx'
import { showDoneToast, showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'

type AdviceAction = { readonly label: string; readonly name: string; readonly run: () => void }
type TermAdviceListProps<Advice> = {
  icon: LucideIcon
  title: string
  explanation: string
  items: readonly Advice[]
  describe: (advice: Advice) => { relation: string; facts: string; actions: readonly AdviceAction[] }
  /** True while words cannot be changed; the user can still dismiss advice. */
  isLocked: boolean
}

/** Advice about terms, each with evidence and buttons that act on it. Renders nothing if there is none. */
export function TermAdviceList<Advice extends KeywordTermAdvice | KeywordTermAddition>({
  icon: Icon,
  title,
  explanation,
  items,
  describe,
  isLocked,
}: TermAdviceListProps<Advice>) {
  const id = useId()
  const { section, onPress } = useFocusAfterRemoval(items.length)
  if (items.length === 0) return null
  return (
    <section ref={section} tabIndex={-1} aria-labelledby={id} className="outline-none">
      <h3 id={id} className="flex items-start gap-2 font-semibold">
        <Icon aria-hidden className="mt-1 size-4 shrink-0 text-ink-muted" />
        {title}
      </h3>
      <p className="mt-0.5 text-sm text-ink-muted">{explanation} ไม่มีอะไรเปลี่ยนจนกว่าคุณจะกด</p>
      <ul className="mt-3 divide-y divide-line border-t border-line">
        {items.map((advice) => {
          const { keyword_id: keywordId, facet, term, titles } = advice
          const { relation, facts, actions } = describe(advice)
          return (
            <li key={`${keywordId} ${facet} ${term}`} aria-label={term} className="py-3 last:pb-0">
              <p className="wrap-anywhere">
                <span className="font-medium">{term}</span> <span className="text-ink-muted">{relation}</span>
              </p>
              <p className="text-xs text-ink-muted tabular-nums">{facts}</p>
              <TermSampleTitles term={term} titles={titles} />
              <div className="mt-2 flex flex-wrap gap-2">
                {actions.map(({ label, name, run }) => (
                  <Button
                    key={label}
                    size="sm"
                    disabled={isLocked}
                    onClick={() => {
                      onPress()
                      run()
                    }}
                    aria-label={name}
                  >
                    {label}
                  </Button>
                ))}
                <Button
                  size="sm"
                  variant="quiet"
                  onClick={() => {
                    onPress()
                    dismiss(advice)
                  }}
                  aria-label={`ไม่ต้องเสนอเรื่อง ${term} อีก`}
                >
                  ไม่ต้องเสนออีก
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function dismiss(advice: KeywordTermAdvice | KeywordTermAddition, isDismissed = true): void {
  dismissKeywordTermAdvice(advice, isDismissed).then(
    () => isDismissed && showDoneToast(`จะไม่เสนอเรื่อง “${advice.term}” อีก`, () => dismiss(advice, false)),
    (error: unknown) => showFailureToast('บันทึกไม่สำเร็จ', error, () => dismiss(advice, isDismissed)),
  )
}

/** Attach `section`, and call `onPress` from each button. With the last row the page gets the focus. */
function useFocusAfterRemoval(count: number) {
  const section = useRef<HTMLElement>(null)
  const isPressed = useRef(false)
  useOnChange(count, () => {
    if (isPressed.current && document.activeElement === document.body)
      (section.current ?? getNamedElement('main'))?.focus({ preventScroll: true })
    isPressed.current = false
  })
  const onPress = () => {
    isPressed.current = true
  }
  return { section, onPress }
}
