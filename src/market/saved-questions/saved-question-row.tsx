import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Pencil, Trash2 } from 'lucide-react'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import {
  SAVED_QUESTION_PROBLEMS,
  type SavedQuestion,
  type SavedQuestionsPatch,
} from '#contract/market/saved-question.ts'
import { formatSavedQuestion } from '#contract/market/who-wins.ts'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { useUser } from '#src/account/api/users.ts'
import { patchSavedQuestions } from '#src/market/api/questions.ts'
import { Button } from '#src/ui/button.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { createUniqueSavedQuestionNameSchema } from './unused-question-name-schema.ts'

type QuestionRowProps = {
  question: SavedQuestion
  /** True after the rename form has closed, which returns the focus to the rename button. */
  wasRenaming: boolean
  onOpen: () => void
  onRename: () => void
  onDelete: () => void
}

export function SavedQuestionRow({ question, wasRenaming, onOpen, onRename, onDelete }: QuestionRowProps) {
  const { id, name, address, monthly, on_change: isOnChange, problem, is_wide: isWide } = question
  const { project_labels: labels } = useUser()
  const change = (patch: Omit<NonNullable<SavedQuestionsPatch['change']>, 'id'>) =>
    void patchSavedQuestions({ change: { id, ...patch } }, { failed: `เปลี่ยนการแจ้งของ “${name}” ไม่สำเร็จ` })
  return (
    <>
      <div className="flex items-start gap-1">
        <button
          type="button"
          onClick={onOpen}
          className="min-h-7 min-w-0 flex-1 rounded-control text-left font-semibold text-accent-ink wrap-anywhere hover:underline touch:min-h-11"
        >
          {name}
        </button>
        <IconButton
          icon={Pencil}
          label={`เปลี่ยนชื่อ ${name}`}
          size="sm"
          ref={wasRenaming ? focusOnMount : undefined}
          onClick={onRename}
        />
        <IconButton icon={Trash2} label={`ลบ ${name}`} size="sm" onClick={onDelete} />
      </div>
      <p className="line-clamp-3 text-sm text-ink-muted wrap-anywhere">
        {formatSavedQuestion(parseReportSearch(address).search, labels)}
      </p>
      {problem !== null && (
        <div className="my-1 rounded-control bg-surface-muted px-3 py-2 text-sm">
          <p className="text-updated">หยุดแจ้งแล้ว {SAVED_QUESTION_PROBLEMS.find(({ code }) => code === problem)?.th}</p>
          <Button size="sm" variant="quiet" className="-ml-1.5" onClick={() => change({ again: true })}>
            แจ้งต่อ<span className="sr-only"> {name}</span>
          </Button>
        </div>
      )}
      <div className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
        <Checkbox checked={monthly} onChange={(on) => change({ monthly: on })}>
          อีเมลทุกวันที่ 1<span className="sr-only"> {name}</span>
        </Checkbox>
        <Checkbox checked={isOnChange} onChange={(on) => change({ on_change: on })}>
          เมื่อเปลี่ยน<span className="sr-only"> {name}</span>
        </Checkbox>
      </div>
      {isWide && isOnChange && (
        <p className="text-xs text-ink-muted">ผู้ชนะมีมากเกินกว่าจะจำทีละราย จึงบอกเฉพาะเมื่อสามอันดับแรกเปลี่ยน</p>
      )}
    </>
  )
}

type RenameQuestionProps = {
  question: SavedQuestion
  questions: readonly SavedQuestion[]
  onDone: () => void
}

export function RenameSavedQuestionForm({
  question: { id, name: currentName },
  questions,
  onDone,
}: RenameQuestionProps) {
  const { register, handleSubmit, setFocus, formState } = useForm<{ name: string }>({
    resolver: standardSchemaResolver(z.object({ name: createUniqueSavedQuestionNameSchema(questions, id) })),
    mode: 'onChange',
    defaultValues: { name: currentName },
  })
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus])
  const rename = handleSubmit(({ name }) => {
    if (name !== currentName)
      void patchSavedQuestions(
        { change: { id, name } },
        { failed: `เปลี่ยนชื่อ “${currentName}” ไม่สำเร็จ`, done: `เปลี่ยนชื่อเป็น “${name}” แล้ว` },
      )
    onDone()
  })
  return (
    <form noValidate onSubmit={(event) => void rename(event)} className="space-y-2">
      <TextField
        label="ชื่อใหม่"
        autoComplete="off"
        error={formState.errors.name?.message}
        {...register('name')}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          onDone()
        }}
      />
      <div className="flex justify-end gap-2">
        <Button size="sm" onClick={onDone}>
          ยกเลิก
        </Button>
        <Button size="sm" type="submit" variant="primary">
          เปลี่ยนชื่อ
        </Button>
      </div>
    </form>
  )
}
