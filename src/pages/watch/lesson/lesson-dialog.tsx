import { useIsMutating, useQuery } from '@tanstack/react-query'
import { Check, Trash2, Undo2, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { LESSON_LENGTH, type Lesson, type LessonAnswer, type LessonTitle } from '#contract/keyword/lesson.ts'
import { errorMessage, ProblemError } from '#src/api/http/problem-error.ts'
import { answersUnderWay, answerTitles, lessonQuery, type Said, takeLesson } from '#src/api/keyword/lessons.ts'
import { useOverlaid } from '#src/api/optimistic.ts'
import { Button } from '#src/ui/button.tsx'
import { Collapsible } from '#src/ui/collapsible.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { LessonFigures } from './lesson-figures.tsx'
import { LessonQuestion } from './lesson-question.tsx'

type LessonDialogProps = {
  keywordId: number
  /** The lists are closed at this hour: answers are kept, terms wait. */
  isLocked: boolean
  onClose: () => void
}

/** Keys by their place on the board: a Thai layout has other letters there. */
const ANSWERS: Readonly<Record<string, boolean>> = {
  KeyJ: true,
  KeyY: true,
  ArrowRight: true,
  KeyK: false,
  KeyN: false,
  ArrowLeft: false,
}

/** Teaching an AI word by examples: title after title, and what follows from the answers. It can be left and gone on with at any time. */
export function LessonDialog({ keywordId, isLocked, onClose }: LessonDialogProps) {
  const { data, error, isFetching, refetch } = useQuery(useOverlaid(lessonQuery(keywordId)))
  const isSaving = useIsMutating(answersUnderWay) > 0
  const [said, setSaid] = useState('')
  const say = (answers: readonly Said[], text: string) => {
    setSaid(text)
    // The button that was pressed may be gone: the keys go on working.
    setTimeout(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('[data-lesson-title]')?.focus()
    })
    answerTitles(keywordId, answers).catch((reason: unknown) =>
      showToast({
        tone: 'error',
        text: `บันทึกคำตอบไม่สำเร็จ ${errorMessage(reason)}`,
        action: { label: 'ลองใหม่', run: () => say(answers, text) },
      }),
    )
  }
  const answer = (title: LessonTitle, isWanted: boolean) =>
    say([{ title, isWanted }], isWanted ? 'ตอบว่าเกี่ยว' : 'ตอบว่าไม่เกี่ยว')
  const last = data?.answers[0]
  const undo = last && (() => say([{ title: last, isWanted: null }], 'ย้อนคำตอบแล้ว'))
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isWanted = ANSWERS[event.code]
    if (isWanted !== undefined && data?.next) answer(data.next, isWanted)
    else if (event.code === 'KeyU' && undo) undo()
    else return
    event.preventDefault()
  }
  const forget = ({ answers }: Lesson) => {
    const back = answers.toReversed().map((title): Said => ({ title, isWanted: title.is_wanted }))
    say(
      answers.map((title) => ({ title, isWanted: null })),
      'ล้างคำตอบแล้ว',
    )
    showToast({
      tone: 'done',
      text: `ล้าง ${answers.length} คำตอบแล้ว`,
      action: { label: 'เลิกทำ', run: () => say(back, 'คืนคำตอบแล้ว') },
    })
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={data ? `สอน “${data.word}” ด้วยตัวอย่าง` : 'สอนด้วยตัวอย่าง'}
      className="sm:max-w-2xl!"
      footer={data && <LessonEnd lesson={data} isLocked={isLocked} onClose={onClose} />}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole dialog; each has its button */}
      <div className="space-y-4 p-4" onKeyDown={onKey}>
        {!data && !error && (
          <SkeletonGroup label="กำลังเลือกชื่อโครงการ" className="flex flex-col gap-3">
            <Skeleton className="h-28" />
            <Skeleton className="h-11" />
          </SkeletonGroup>
        )}
        {!data && error && (
          <ErrorNotice
            title={isGone(error) ? 'ไม่พบคำนี้ในเฝ้าติดตาม' : 'เปิดบทเรียนไม่สำเร็จ'}
            reason={isGone(error) ? 'อาจถูกลบไปแล้ว หรือเป็นคำที่สอนด้วยตัวอย่างไม่ได้' : errorMessage(error)}
            {...(isGone(error) ? {} : { onRetry: () => void refetch(), retrying: isFetching })}
          />
        )}
        {data && (
          <>
            <LessonQuestion
              lesson={data}
              isChoosing={!data.next && isSaving}
              onAnswer={answer}
              undo={
                <Button size="sm" look="quiet" icon={Undo2} disabled={!undo} onClick={undo} aria-keyshortcuts="U">
                  ย้อน
                </Button>
              }
            />
            <p role="status" className="sr-only">
              {said}
            </p>
            <LessonMarks
              lesson={data}
              onTake={(marks) =>
                say(
                  // The newest last: answers stand in the order in which they are given.
                  marks.toReversed().map((title) => ({ title, isWanted: title.is_wanted })),
                  'ใช้ดาวและที่ซ่อนเป็นคำตอบแล้ว',
                )
              }
            />
            <LessonFigures lesson={data} />
            <LessonAnswers
              lesson={data}
              onTurn={(title, isWanted) => say([{ title, isWanted }], 'เปลี่ยนคำตอบแล้ว')}
              onForget={() => forget(data)}
            />
          </>
        )}
      </div>
    </Modal>
  )
}

type LessonMarksProps = { lesson: Lesson; onTake: (marks: readonly LessonAnswer[]) => void }

/** Stars and hides say the same as answers; they count when the person wants them to. */
function LessonMarks({ lesson: { marks, word }, onTake }: LessonMarksProps) {
  if (marks.length === 0) return null
  const starred = marks.filter(({ is_wanted: isWanted }) => isWanted).length
  const hidden = marks.length - starred
  const parts = [starred > 0 && `ติดดาว ${starred}`, hidden > 0 && `ซ่อน ${hidden}`].filter(Boolean)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-surface-muted p-3 text-sm">
      <p className="min-w-0 flex-1 basis-56">
        คุณ{parts.join(' และ')} โครงการที่ “{word}” คำเดียวนำเข้ารายงาน
      </p>
      <Button size="sm" onClick={() => onTake(marks)}>
        ใช้เป็นคำตอบ {marks.length} ข้อ
      </Button>
    </div>
  )
}

const isGone = (error: unknown) => error instanceof ProblemError && error.status === 404

/** Says what came of it, with the way back; false when it failed. */
async function takeOver(id: number, word: string, takes: boolean): Promise<boolean> {
  try {
    await takeLesson(id, takes)
  } catch (error) {
    showToast({
      tone: 'error',
      text: `ปรับคำของ ${word} ไม่สำเร็จ ${errorMessage(error)}`,
      action: { label: 'ลองใหม่', run: () => void takeOver(id, word, takes) },
    })
    return false
  }
  showToast({
    tone: 'done',
    text: takes ? `ปรับคำของ ${word} ตามตัวอย่างแล้ว` : `คำของ ${word} กลับเป็นอย่างก่อนสอนแล้ว`,
    action: { label: 'เลิกทำ', run: () => void takeOver(id, word, !takes) },
  })
  return true
}

type LessonEndProps = { lesson: Lesson; isLocked: boolean; onClose: () => void }

/** Takes over what follows from the answers, or leaves: the answers stay either way. */
function LessonEnd({ lesson, isLocked, onClose }: LessonEndProps) {
  const { keyword_id: id, word, turned, in_force: inForce, answers } = lesson
  const [isTaking, setTaking] = useState(false)
  const take = async (takes: boolean) => {
    setTaking(true)
    if (await takeOver(id, word, takes)) onClose()
    setTaking(false)
  }
  const isEnough = answers.length >= LESSON_LENGTH
  return (
    <>
      {isLocked && <p className="mr-auto self-center text-sm text-ink-muted">ปรับคำได้หลังช่วงปิดแก้ไข คำตอบเก็บไว้แล้ว</p>}
      {inForce > 0 && turned.length === 0 && (
        <Button disabled={isLocked} pending={isTaking} onClick={() => void take(false)}>
          เลิกใช้ผลจากตัวอย่าง
        </Button>
      )}
      <Button onClick={onClose}>{answers.length > 0 ? 'พักไว้ก่อน' : 'ปิด'}</Button>
      {turned.length > 0 && (
        <Button
          look={isEnough || !lesson.next ? 'primary' : 'secondary'}
          disabled={isLocked}
          pending={isTaking}
          onClick={() => void take(true)}
        >
          ใช้ผลนี้ ({turned.length} คำเปลี่ยน)
        </Button>
      )}
    </>
  )
}

type LessonAnswersProps = {
  lesson: Lesson
  onTurn: (answer: LessonAnswer, isWanted: boolean) => void
  onForget: () => void
}

/** What was said so far: each can be turned, all can be forgotten. */
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
              aria-label={`${answer.is_wanted ? 'เกี่ยว' : 'ไม่เกี่ยว'} กดเพื่อเปลี่ยน ${answer.name}`}
              onClick={() => onTurn(answer, !answer.is_wanted)}
            >
              {answer.is_wanted ? 'เกี่ยว' : 'ไม่เกี่ยว'}
            </Button>
          </li>
        ))}
      </ul>
      <Button look="link" size="sm" icon={Trash2} onClick={onForget}>
        ล้างคำตอบทั้งหมด
      </Button>
    </Collapsible>
  )
}
