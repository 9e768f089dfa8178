import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { createClientGeneratedId } from '#contract/account/label.ts'
import { MAX_SAVED_QUESTIONS, type SavedQuestion } from '#contract/market/saved-question.ts'
import { buildSavedQuestionParams, formatSavedQuestion } from '#contract/market/who-wins.ts'
import { getSearchFilterTexts } from '#contract/report/filter-text.ts'
import { parseReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { useUser } from '#src/account/api/users.ts'
import { patchSavedQuestions } from '#src/market/api/questions.ts'
import { suggestSavedFilterName } from '#src/report/saved-filters/filter-name.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { createUniqueSavedQuestionNameSchema } from './unused-question-name-schema.ts'

type SaveQuestionProps = { search: ReportSearch; questions: readonly SavedQuestion[] }

export function SaveQuestionForm({ search, questions }: SaveQuestionProps) {
  const { project_labels: labels } = useUser()
  const section = useRef<HTMLElement>(null)
  const address = buildSavedQuestionParams(search)
  const text = new URLSearchParams(address).toString()
  // Compare formatted URLs, because the server does not preserve parameter order.
  const textOf = (question: SavedQuestion) =>
    new URLSearchParams(buildSavedQuestionParams(parseReportSearch(question.address).search)).toString()
  const savedQuestion = questions.find((question) => textOf(question) === text)
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="present-question"
      className="rounded-control border border-line p-3 outline-none"
    >
      <h3 id="present-question" className="font-semibold">
        คำถามปัจจุบัน
      </h3>
      <p className="text-sm text-ink-muted wrap-anywhere">{formatSavedQuestion(search, labels)}</p>
      {savedQuestion ? (
        <p className="mt-2 text-sm">บันทึกไว้แล้วในชื่อ “{savedQuestion.name}”</p>
      ) : questions.length >= MAX_SAVED_QUESTIONS ? (
        <p className="mt-2 text-sm text-updated">บันทึกครบ {MAX_SAVED_QUESTIONS} คำถามแล้ว ลบคำถามที่ไม่ใช้ก่อน</p>
      ) : (
        <SaveForm
          key={text}
          suggested={
            suggestSavedFilterName(getSearchFilterTexts(search, labels)) || (search.market ? 'ทั้งตลาด' : 'โครงการของเรา')
          }
          address={address}
          questions={questions}
          onSaved={() => section.current?.focus()}
        />
      )}
    </section>
  )
}

type SaveFormProps = {
  suggested: string
  address: Readonly<Record<string, string>>
  questions: readonly SavedQuestion[]
  onSaved: () => void
}

function SaveForm({ suggested, address, questions, onSaved }: SaveFormProps) {
  const { register, handleSubmit, formState } = useForm<{ name: string }>({
    resolver: standardSchemaResolver(z.object({ name: createUniqueSavedQuestionNameSchema(questions) })),
    mode: 'onChange',
    defaultValues: { name: suggested },
  })
  const [isMonthly, setMonthly] = useState(true)
  const [isOnChange, setOnChange] = useState(true)
  const save = handleSubmit(({ name }) => {
    onSaved()
    void patchSavedQuestions(
      {
        add: {
          id: createClientGeneratedId(name, Date.now()),
          name,
          address,
          monthly: isMonthly,
          on_change: isOnChange,
        },
      },
      { failed: `บันทึกคำถาม “${name}” ไม่สำเร็จ`, done: `บันทึกคำถาม “${name}” แล้ว` },
    )
  })
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="mt-3 space-y-2">
      <TextField label="ชื่อคำถาม" autoComplete="off" error={formState.errors.name?.message} {...register('name')} />
      <Checkbox checked={isMonthly} onChange={setMonthly}>
        ส่งอีเมลทุกวันที่ 1 ของเดือน
      </Checkbox>
      <Checkbox checked={isOnChange} onChange={setOnChange}>
        บอกเมื่อมีผู้ชนะรายใหม่ หรือสามอันดับแรกเปลี่ยน
      </Checkbox>
      <div className="flex justify-end">
        <Button type="submit" variant="primary">
          บันทึกคำถาม
        </Button>
      </div>
    </form>
  )
}
