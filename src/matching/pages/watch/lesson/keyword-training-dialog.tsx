import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import { type KeywordTraining, SUGGESTED_KEYWORD_TRAINING_ANSWERS } from '#contract/matching/keyword-training.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import {
  answerKeywordTrainingTitles,
  type KeywordTrainingAnswer,
  keywordTrainingQuery,
  PENDING_TRAINING_ANSWERS_FILTER,
  setKeywordTrainingActive,
} from '#src/matching/api/lessons.ts'
import { KeywordTrainingFrame } from '#src/matching/lesson/keyword-training-frame.tsx'
import { Button } from '#src/ui/button.tsx'
import { showDoneToast, showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'

type LessonDialogProps = {
  keywordId: number
  /** True while the lists are locked: answers are saved, but terms cannot be applied yet. */
  isLocked: boolean
  onClose: () => void
}

export function KeywordTrainingDialog({ keywordId, isLocked, onClose }: LessonDialogProps) {
  const lesson = useQuery(useOptimisticQueryOptions(keywordTrainingQuery(keywordId)))
  const isSaving = useIsMutating(PENDING_TRAINING_ANSWERS_FILTER) > 0
  const { mutate: saveAnswers } = useMutation({
    mutationFn: (answers: readonly KeywordTrainingAnswer[]) => answerKeywordTrainingTitles(keywordId, answers),
    onError: (reason, answers) => showFailureToast('บันทึกคำตอบไม่สำเร็จ', reason, () => saveAnswers(answers)),
  })
  return (
    <KeywordTrainingFrame
      query={lesson}
      isSaving={isSaving}
      onAnswer={saveAnswers}
      footer={lesson.data && <LessonEnd lesson={lesson.data} isLocked={isLocked} onClose={onClose} />}
      onClose={onClose}
    />
  )
}

type LessonEndProps = { lesson: KeywordTraining; isLocked: boolean; onClose: () => void }

function LessonEnd({ lesson, isLocked, onClose }: LessonEndProps) {
  const { keyword_id: id, word, turned, in_force: inForce, answers } = lesson
  const apply = useMutation({
    mutationFn: (isOn: boolean) => setKeywordTrainingActive(id, isOn),
    onSuccess: (_, isOn) =>
      showDoneToast(isOn ? `ปรับคำของ ${word} ตามตัวอย่างแล้ว` : `คำของ ${word} กลับเป็นอย่างก่อนสอนแล้ว`, () =>
        apply.mutate(!isOn),
      ),
    onError: (error, isOn) => showFailureToast(`ปรับคำของ ${word} ไม่สำเร็จ`, error, () => apply.mutate(isOn)),
  })
  const isEnough = answers.length >= SUGGESTED_KEYWORD_TRAINING_ANSWERS
  return (
    <>
      {isLocked && <p className="mr-auto self-center text-sm text-ink-muted">ปรับคำได้หลังช่วงปิดแก้ไข คำตอบเก็บไว้แล้ว</p>}
      {inForce > 0 && turned.length === 0 && (
        <Button
          disabled={isLocked}
          pending={apply.isPending}
          onClick={() => apply.mutate(false, { onSuccess: onClose })}
        >
          เลิกใช้ผลจากตัวอย่าง
        </Button>
      )}
      <Button onClick={onClose}>{answers.length > 0 ? 'พักไว้ก่อน' : 'ปิด'}</Button>
      {turned.length > 0 && (
        <Button
          variant={isEnough || !lesson.next ? 'primary' : 'secondary'}
          disabled={isLocked}
          pending={apply.isPending}
          onClick={() => apply.mutate(true, { onSuccess: onClose })}
        >
          ใช้ผลนี้ ({turned.length} คำเปลี่ยน)
        </Button>
      )}
    </>
  )
}
