import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
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
  const saveAnswers = (answers: readonly KeywordTrainingAnswer[]): void => {
    answerKeywordTrainingTitles(keywordId, answers).catch((error: unknown) =>
      showFailureToast('บันทึกคำตอบไม่สำเร็จ', error, () => saveAnswers(answers)),
    )
  }
  const { word, in_force: inForce = 0, turned = [] } = lesson.data ?? {}
  const apply = useMutation({
    mutationFn: (isOn: boolean) => setKeywordTrainingActive(keywordId, isOn),
    onSuccess: (_, isOn) =>
      showDoneToast(isOn ? `ปรับคำของ ${word} ตามตัวอย่างแล้ว` : `คำของ ${word} กลับเป็นอย่างก่อนสอนแล้ว`, () =>
        apply.mutate(!isOn),
      ),
    onError: (error, isOn) => showFailureToast(`ปรับคำของ ${word} ไม่สำเร็จ`, error, () => apply.mutate(isOn)),
  })
  const applyAndClose = (isOn: boolean) => apply.mutate(isOn, { onSuccess: onClose })
  return (
    <KeywordTrainingFrame
      query={lesson}
      isSaving={isSaving}
      onAnswer={saveAnswers}
      note={isLocked && 'ปรับคำได้หลังช่วงปิดแก้ไข คำตอบเก็บไว้แล้ว'}
      undoButton={
        inForce > 0 &&
        turned.length === 0 && (
          <Button disabled={isLocked} pending={apply.isPending} onClick={() => applyAndClose(false)}>
            เลิกใช้ผลจากตัวอย่าง
          </Button>
        )
      }
      apply={{ disabled: isLocked, pending: apply.isPending, onClick: () => applyAndClose(true) }}
      onClose={onClose}
    />
  )
}
