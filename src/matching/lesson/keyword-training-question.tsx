import { Check, CircleCheckBig, X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect } from 'react'
import {
  type KeywordTraining,
  type KeywordTrainingTitle,
  SUGGESTED_KEYWORD_TRAINING_ANSWERS,
} from '#contract/matching/keyword-training.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { Button } from '#src/ui/button.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { Swipeable } from '#src/ui/swipe/swipeable.tsx'

type LessonQuestionProps = {
  titleRef: RefObject<HTMLDivElement | null>
  lesson: KeywordTraining
  isChoosing: boolean
  onAnswer: (title: KeywordTrainingTitle, isWanted: boolean) => void
  undo: ReactNode
}

export function KeywordTrainingQuestion({ titleRef, lesson, isChoosing, onAnswer, undo }: LessonQuestionProps) {
  const { word, answers, next } = lesson
  useEffect(() => titleRef.current?.focus({ preventScroll: true }), [titleRef])
  return (
    <section aria-label="คำถาม" className="space-y-3">
      <div className="flex min-h-8 items-center gap-2">
        <p className="flex flex-1 flex-wrap gap-x-2 font-medium">
          {next || isChoosing ? `ชื่อนี้เกี่ยวกับ “${word}” ไหม` : 'ถามครบแล้ว'}
          <span className="font-normal text-ink-muted tabular-nums">{progressText(answers.length)}</span>
        </p>
        {undo}
      </div>
      <Swipeable
        className="rounded-card border border-line-strong"
        right={next ? { icon: Check, text: 'เกี่ยว', run: () => onAnswer(next, true) } : undefined}
        left={next ? { icon: X, text: 'ไม่เกี่ยว', run: () => onAnswer(next, false) } : undefined}
      >
        <div
          ref={titleRef}
          tabIndex={-1}
          data-autofocus
          aria-live="polite"
          className="flex min-h-28 items-center bg-surface-muted p-4 text-md wrap-anywhere outline-none"
        >
          {next ? (
            <p>
              <HighlightedText text={next.name} words={next.terms} />
            </p>
          ) : isChoosing ? (
            <SkeletonGroup label="กำลังเลือกชื่อถัดไป" className="flex w-full flex-col gap-2" bars={['', 'w-2/3']} />
          ) : (
            <p className="flex items-center gap-2 text-ink-muted">
              <CircleCheckBig aria-hidden className="size-5 shrink-0 text-new" />
              ไม่มีชื่อไหนที่ตอบแล้วจะเรียนรู้เพิ่ม
            </p>
          )}
        </div>
      </Swipeable>
      <div className="grid grid-cols-2 gap-2">
        <Button
          size="lg"
          icon={X}
          // The button is not `disabled`, because it would lose the focus while the next title loads.
          aria-disabled={!next || undefined}
          className={next ? undefined : 'opacity-50'}
          onClick={() => next && onAnswer(next, false)}
          aria-keyshortcuts="K ArrowLeft"
        >
          ไม่เกี่ยว
        </Button>
        <Button
          size="lg"
          icon={Check}
          aria-disabled={!next || undefined}
          className={next ? undefined : 'opacity-50'}
          onClick={() => next && onAnswer(next, true)}
          aria-keyshortcuts="J ArrowRight"
        >
          เกี่ยว
        </Button>
      </div>
      <p className="text-xs text-ink-muted">
        <span className="touch:hidden">แป้นพิมพ์: J หรือ → เกี่ยว, K หรือ ← ไม่เกี่ยว, U ย้อน</span>
        <span className="hidden touch:inline">ปัดขวา เกี่ยว ปัดซ้าย ไม่เกี่ยว</span> · หยุดเมื่อไรก็ได้ คำตอบเก็บไว้ให้
      </p>
    </section>
  )
}

function progressText(count: number): string {
  if (count >= SUGGESTED_KEYWORD_TRAINING_ANSWERS)
    return `ตอบแล้ว ${formatCountWithSeparators(count)} ข้อ พอใช้แล้ว ตอบต่อได้`
  return `ข้อ ${count + 1} จากราว ${SUGGESTED_KEYWORD_TRAINING_ANSWERS}`
}
