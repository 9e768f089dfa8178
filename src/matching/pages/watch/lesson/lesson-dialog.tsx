import { useIsMutating, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LESSON_LENGTH, type Lesson } from '#contract/matching/lesson.ts'
import { errorMessage, ProblemError } from '#src/api/http/problem-error.ts'
import { useOverlaid } from '#src/api/optimistic.ts'
import { answersUnderWay, answerTitles, lessonQuery, type Said, takeLesson } from '#src/matching/api/lessons.ts'
import { LessonFrame } from '#src/matching/lesson/lesson-frame.tsx'
import { Button } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

type LessonDialogProps = {
  keywordId: number
  /** The lists are locked at this hour: answers are saved, terms cannot be applied yet. */
  isLocked: boolean
  onClose: () => void
}

export function LessonDialog({ keywordId, isLocked, onClose }: LessonDialogProps) {
  const { data, error, isFetching, refetch } = useQuery(useOverlaid(lessonQuery(keywordId)))
  const isSaving = useIsMutating(answersUnderWay) > 0
  const say = (answers: readonly Said[]) => {
    answerTitles(keywordId, answers).catch((reason: unknown) =>
      showToast({
        tone: 'error',
        text: `บันทึกคำตอบไม่สำเร็จ ${errorMessage(reason)}`,
        action: { label: 'ลองใหม่', run: () => say(answers) },
      }),
    )
  }
  return (
    <LessonFrame
      lesson={data}
      failure={
        error && (
          <ErrorNotice
            title={isGone(error) ? 'ไม่พบคำนี้ในเฝ้าติดตาม' : 'เปิดบทเรียนไม่สำเร็จ'}
            reason={isGone(error) ? 'อาจถูกลบไปแล้ว หรือเป็นคำที่สอนด้วยตัวอย่างไม่ได้' : errorMessage(error)}
            {...(isGone(error) ? {} : { onRetry: () => void refetch(), retrying: isFetching })}
          />
        )
      }
      isSaving={isSaving}
      onSay={say}
      footer={data && <LessonEnd lesson={data} isLocked={isLocked} onClose={onClose} />}
      onClose={onClose}
    />
  )
}

const isGone = (error: unknown) => error instanceof ProblemError && error.status === 404

/** Applies or removes the learned terms and shows a toast with undo; false on failure. */
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
