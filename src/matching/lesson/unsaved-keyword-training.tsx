import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeywordTraining, NewKeywordTraining } from '#contract/matching/keyword-training.ts'
import {
  applyKeywordTrainingAnswer,
  draftKeywordTrainingQuery,
  type KeywordTrainingAnswer,
} from '#src/matching/api/lessons.ts'
import { KeywordTrainingFrame } from './keyword-training-frame.tsx'

type UnsavedKeywordTrainingProps = {
  word: string
  /** Terms that the user approved or rejected by hand; answers to the lesson do not override them. */
  chosen: { readonly approve: readonly string[]; readonly reject: readonly string[] }
  lesson: NewKeywordTraining | undefined
  onChange: (lesson: NewKeywordTraining) => void
  onClose: () => void
}

export function UnsavedKeywordTraining({ word, chosen, lesson, onChange, onClose }: UnsavedKeywordTrainingProps) {
  const answers = lesson?.answers ?? []
  const draft = { word, approve: [...chosen.approve], reject: [...chosen.reject], answers }
  const [optimisticLesson, setOptimisticLesson] = useState<KeywordTraining>()
  const query = useQuery(draftKeywordTrainingQuery(draft, optimisticLesson))
  const { data, isFetching, isPlaceholderData } = query
  const applyAnswers = (newAnswers: readonly KeywordTrainingAnswer[]) => {
    if (data) setOptimisticLesson(newAnswers.reduce(applyKeywordTrainingAnswer, data))
    const changedIds = new Set(newAnswers.map(({ title }) => title.project_id))
    const unchanged = answers.filter(({ project_id }) => !changedIds.has(project_id))
    const added = newAnswers.flatMap(({ title: { project_id }, isWanted }) =>
      isWanted === null ? [] : [{ project_id, is_wanted: isWanted }],
    )
    const next = [...unchanged, ...added]
    // Keep the last result that the user accepted until another is accepted, as for a saved word.
    onChange({ answers: next, turned: next.length > 0 ? (lesson?.turned ?? []) : [] })
  }
  return (
    <KeywordTrainingFrame
      query={query}
      isSaving={isFetching}
      onAnswer={applyAnswers}
      note="คำตอบบันทึกพร้อมคำนี้"
      apply={{
        disabled: isPlaceholderData,
        onClick: () => {
          onChange({ answers, turned: (data?.turned ?? []).map(({ term, facet, acts }) => ({ term, facet, acts })) })
          onClose()
        },
      }}
      onClose={onClose}
    />
  )
}
