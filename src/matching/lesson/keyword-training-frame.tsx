import { Check, CircleCheckBig, Trash2, Undo2, X } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import {
  type KeywordTraining,
  type KeywordTrainingAnswerValue,
  type KeywordTrainingTitle,
  SUGGESTED_KEYWORD_TRAINING_ANSWERS,
} from '#contract/matching/keyword-training.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { KeywordTrainingAnswer } from '#src/matching/api/lessons.ts'
import { Button } from '#src/ui/button.tsx'
import { Collapsible } from '#src/ui/collapsible.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { type QueryState, QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { Swipeable } from '#src/ui/swipe/swipeable.tsx'

type LessonFrameProps = {
  query: QueryState<KeywordTraining>
  isSaving: boolean
  onAnswer: (answers: readonly KeywordTrainingAnswer[]) => void
  /** What happens to the answers, next to the buttons. */
  note: ReactNode
  undoButton?: ReactNode
  /** The button that applies the changed terms. */
  apply: Pick<ComponentProps<typeof Button>, 'disabled' | 'pending' | 'onClick'>
  onClose: () => void
}

/** Physical key codes, because a Thai layout has other letters on these keys. */
const ANSWERS: Readonly<Record<string, boolean>> = {
  KeyJ: true,
  KeyY: true,
  ArrowRight: true,
  KeyK: false,
  KeyN: false,
  ArrowLeft: false,
}

export function KeywordTrainingFrame({
  query,
  isSaving,
  onAnswer,
  note,
  undoButton,
  apply,
  onClose,
}: LessonFrameProps) {
  const lesson = query.data
  const [announcement, setAnnouncement] = useState('')
  const title = useRef<HTMLDivElement>(null)
  const saveAnswers = (answers: readonly KeywordTrainingAnswer[], text: string) => {
    setAnnouncement(text)
    // The pressed button may have unmounted, so restore the focus; otherwise the keys stop working.
    setTimeout(() => {
      if (document.activeElement === document.body) title.current?.focus()
    })
    onAnswer(answers)
  }
  const answer = (title: KeywordTrainingAnswer['title'], isWanted: boolean) =>
    saveAnswers([{ title, isWanted }], isWanted ? 'ตอบว่าเกี่ยว' : 'ตอบว่าไม่เกี่ยว')
  const last = lesson?.answers[0]
  const undo = last && (() => saveAnswers([{ title: last, isWanted: null }], 'ย้อนคำตอบแล้ว'))
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isWanted = ANSWERS[event.code]
    if (isWanted !== undefined && lesson?.next) answer(lesson.next, isWanted)
    else if (event.code === 'KeyU' && undo) undo()
    else return
    event.preventDefault()
  }
  /** Saves the values oldest first, so that the newest becomes the first answer again. */
  const take = (values: readonly KeywordTrainingAnswerValue[], text: string) =>
    saveAnswers(
      values.toReversed().map((title) => ({ title, isWanted: title.is_wanted })),
      text,
    )
  const forget = ({ answers }: KeywordTraining) => {
    saveAnswers(
      answers.map((title) => ({ title, isWanted: null })),
      'ล้างคำตอบแล้ว',
    )
    showDoneToast(`ล้าง ${answers.length} คำตอบแล้ว`, () => take(answers, 'คืนคำตอบแล้ว'))
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={lesson ? `สอน “${lesson.word}” ด้วยตัวอย่าง` : 'สอนด้วยตัวอย่าง'}
      className="sm:max-w-2xl!"
      footer={
        lesson && (
          <>
            {note && <p className="mr-auto self-center text-sm text-ink-muted">{note}</p>}
            {undoButton}
            <Button onClick={onClose}>{lesson.answers.length > 0 ? 'พักไว้ก่อน' : 'ปิด'}</Button>
            {lesson.turned.length > 0 && (
              <Button
                {...apply}
                variant={
                  lesson.answers.length >= SUGGESTED_KEYWORD_TRAINING_ANSWERS || !lesson.next ? 'primary' : 'secondary'
                }
              >
                ใช้ผลนี้ ({lesson.turned.length} คำเปลี่ยน)
              </Button>
            )}
          </>
        )
      }
    >
      {/* Each shortcut also has a button. */}
      <EventDelegationBox className="space-y-4 p-4" onKeyDown={onKey}>
        <QueryView
          query={query}
          task="เปิดบทเรียน"
          skeleton={<SkeletonGroup label="กำลังเลือกชื่อโครงการ" className="flex flex-col gap-3" bars={['h-28', 'h-11']} />}
          notFound={<ErrorNotice title="ไม่พบคำนี้ในคำติดตาม" reason="อาจถูกลบไปแล้ว หรือเป็นคำที่สอนด้วยตัวอย่างไม่ได้" />}
        >
          {(lesson) => (
            <>
              <KeywordTrainingQuestion
                titleRef={title}
                lesson={lesson}
                isChoosing={!lesson.next && isSaving}
                onAnswer={answer}
                undo={
                  <Button size="sm" variant="quiet" icon={Undo2} disabled={!undo} onClick={undo} aria-keyshortcuts="U">
                    ย้อน
                  </Button>
                }
              />
              <p role="status" className="sr-only">
                {announcement}
              </p>
              <LessonMarks lesson={lesson} onTake={() => take(lesson.marks, 'ใช้ดาวและที่ซ่อนเป็นคำตอบแล้ว')} />
              <KeywordTrainingFigures lesson={lesson} />
              <LessonAnswers
                lesson={lesson}
                onTurn={(title, isWanted) => saveAnswers([{ title, isWanted }], 'เปลี่ยนคำตอบแล้ว')}
                onForget={() => forget(lesson)}
              />
            </>
          )}
        </QueryView>
      </EventDelegationBox>
    </Modal>
  )
}

function LessonMarks({ lesson: { marks, word }, onTake }: { lesson: KeywordTraining; onTake: () => void }) {
  if (marks.length === 0) return null
  const starred = marks.filter(({ is_wanted: isWanted }) => isWanted).length
  const hidden = marks.length - starred
  const parts = [starred > 0 && `ติดดาว ${starred}`, hidden > 0 && `ซ่อน ${hidden}`].filter(Boolean)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-surface-muted p-3 text-sm">
      <p className="min-w-0 flex-1 basis-56">
        คุณ{parts.join(' และ')} โครงการที่ “{word}” คำเดียวนำเข้ารายงาน
      </p>
      <Button size="sm" onClick={onTake}>
        ใช้เป็นคำตอบ {marks.length} ข้อ
      </Button>
    </div>
  )
}

type LessonAnswersProps = {
  lesson: KeywordTraining
  onTurn: (answer: KeywordTrainingAnswerValue, isWanted: boolean) => void
  onForget: () => void
}

function LessonAnswers({ lesson: { answers }, onTurn, onForget }: LessonAnswersProps) {
  if (answers.length === 0) return null
  return (
    <Collapsible title={`คำตอบที่ให้ไว้ ${answers.length} ข้อ`}>
      <ul className="divide-y divide-line">
        {answers.map((answer) => (
          <li key={answer.project_id} className="flex items-center gap-2 py-1.5 text-sm">
            <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{answer.name}</span>
            <Button
              size="sm"
              icon={answer.is_wanted ? Check : X}
              of={`กดเพื่อเปลี่ยน ${answer.name}`}
              onClick={() => onTurn(answer, !answer.is_wanted)}
            >
              {answer.is_wanted ? 'เกี่ยว' : 'ไม่เกี่ยว'}
            </Button>
          </li>
        ))}
      </ul>
      <Button variant="link" size="sm" icon={Trash2} onClick={onForget}>
        ล้างคำตอบทั้งหมด
      </Button>
    </Collapsible>
  )
}

type LessonQuestionProps = {
  titleRef: RefObject<HTMLDivElement | null>
  lesson: KeywordTraining
  isChoosing: boolean
  onAnswer: (title: KeywordTrainingTitle, isWanted: boolean) => void
  undo: ReactNode
}

const CHOICES = [
  { isWanted: false, icon: X, text: 'ไม่เกี่ยว', keys: 'K ArrowLeft' },
  { isWanted: true, icon: Check, text: 'เกี่ยว', keys: 'J ArrowRight' },
] as const

function KeywordTrainingQuestion({ titleRef, lesson, isChoosing, onAnswer, undo }: LessonQuestionProps) {
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
        {CHOICES.map(({ isWanted, icon, text, keys }) => (
          <Button
            key={text}
            size="lg"
            icon={icon}
            // The button is not `disabled`, because it would lose the focus while the next title loads.
            aria-disabled={!next || undefined}
            className={next ? undefined : 'opacity-50'}
            onClick={() => next && onAnswer(next, isWanted)}
            aria-keyshortcuts={keys}
          >
            {text}
          </Button>
        ))}
      </div>
      <p className="text-xs text-ink-muted">
        <span className="touch:hidden">แป้นพิมพ์: J หรือ → เกี่ยว, K หรือ ← ไม่เกี่ยว, U ย้อน</span>
        <span className="hidden touch:inline">ปัดขวา เกี่ยว ปัดซ้าย ไม่เกี่ยว</span> · หยุดเมื่อไรก็ได้ คำตอบเก็บไว้ให้
      </p>
    </section>
  )
}

function progressText(count: number): string {
  if (count >= SUGGESTED_KEYWORD_TRAINING_ANSWERS) return `ตอบแล้ว ${formatCount(count)} ข้อ พอใช้แล้ว ตอบต่อได้`
  return `ข้อ ${count + 1} จากราว ${SUGGESTED_KEYWORD_TRAINING_ANSWERS}`
}

const MAX_SHOWN = 8

function KeywordTrainingFigures({ lesson }: { lesson: KeywordTraining }) {
  const { answers, now, taught, turned, share } = lesson
  const isSame = turned.length === 0
  return (
    <section aria-label="ผลจากคำตอบ" className="rounded-card border border-line p-3">
      <dl className="grid grid-cols-2 gap-3">
        <Figure name="ตอนนี้" {...now} />
        <Figure name="ตามคำตอบ" {...taught} isStrong={!isSame} />
      </dl>
      <p className="mt-2 text-sm">
        {isSame ? (
          <span className="text-ink-muted">
            {answers.length === 0 ? 'ตอบแล้วจะเห็นว่าคำไหนเปลี่ยน' : 'คำที่ใช้อยู่ตรงกับคำตอบแล้ว'}
          </span>
        ) : (
          turned.slice(0, MAX_SHOWN).map(({ term, facet, acts, titles }) => (
            <span
              key={`${facet} ${term}`}
              className={classNames(
                'mr-1.5 mb-1 inline-flex items-center gap-1 rounded-control border px-2 py-0.5',
                acts
                  ? 'border-transparent bg-accent-soft text-accent-ink'
                  : 'border-dashed border-line-strong text-ink-muted',
              )}
            >
              <span>
                {acts ? 'ใช้' : 'เลิกใช้'} {term}
              </span>
              <span className="text-xs tabular-nums">
                {acts ? '+' : '−'}
                {formatCount(titles)}
              </span>
            </span>
          ))
        )}
        {turned.length > MAX_SHOWN && <span className="text-ink-muted">และอีก {turned.length - MAX_SHOWN} คำ</span>}
      </p>
      {share < 1 && (
        <p className="mt-1 text-xs text-ink-muted">ตัวเลขประมาณจาก {Math.max(1, Math.round(share * 100))}% ของชื่อทั้งปี</p>
      )}
    </section>
  )
}

type FigureProps = KeywordTraining['now'] & { name: string; isStrong?: boolean }

function Figure({ name, finds, right, isStrong = false }: FigureProps) {
  return (
    <div>
      <dt className="text-sm text-ink-muted">{name}</dt>
      <dd>
        <span className={classNames('text-lg tabular-nums', isStrong && 'font-semibold')}>{formatCount(finds)}</span>
        <span className="text-ink-muted"> ชื่อ/ปี</span>
        {finds > 0 && <span className="block text-sm tabular-nums">คาดว่าเกี่ยว {Math.round(right * 100)}%</span>}
      </dd>
    </div>
  )
}
