import { type SubmitEvent, useRef, useState } from 'react'
import { markIdOf } from '#contract/account/label.ts'
import { MOST_QUESTIONS, type SavedQuestion } from '#contract/market/saved-question.ts'
import { questionAddress, questionText } from '#contract/market/who-wins.ts'
import { searchFilterTexts } from '#contract/report/filter-text.ts'
import { parseReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { useUser } from '#src/account/api/users.ts'
import { patchQuestions } from '#src/market/api/questions.ts'
import { suggestedName } from '#src/report/saved-filters/filter-name.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { questionNameProblem } from './question-name.ts'

type KeepQuestionProps = { search: ReportSearch; questions: readonly SavedQuestion[] }

export function KeepQuestion({ search, questions }: KeepQuestionProps) {
  const { project_labels: labels } = useUser()
  const section = useRef<HTMLElement>(null)
  const address = questionAddress(search)
  const text = new URLSearchParams(address).toString()
  // The server does not preserve parameter order.
  const textOf = (one: SavedQuestion) =>
    new URLSearchParams(questionAddress(parseReportSearch(one.address).search)).toString()
  const kept = questions.find((one) => textOf(one) === text)
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
      <p className="text-sm text-ink-muted wrap-anywhere">{questionText(search, labels)}</p>
      {kept ? (
        <p className="mt-2 text-sm">บันทึกไว้แล้วในชื่อ “{kept.name}”</p>
      ) : questions.length >= MOST_QUESTIONS ? (
        <p className="mt-2 text-sm text-updated">บันทึกครบ {MOST_QUESTIONS} คำถามแล้ว ลบคำถามที่ไม่ใช้ก่อน</p>
      ) : (
        <KeepForm
          key={text}
          suggested={suggestedName(searchFilterTexts(search, labels)) || (search.market ? 'ทั้งตลาด' : 'โครงการของเรา')}
          address={address}
          questions={questions}
          onKept={() => section.current?.focus()}
        />
      )}
    </section>
  )
}

type KeepFormProps = {
  suggested: string
  address: Readonly<Record<string, string>>
  questions: readonly SavedQuestion[]
  onKept: () => void
}

function KeepForm({ suggested, address, questions, onKept }: KeepFormProps) {
  const [name, setName] = useState(suggested)
  const [isMonthly, setMonthly] = useState(true)
  const [isOnChange, setOnChange] = useState(true)
  const [isTried, setTried] = useState(false)
  const problem = questionNameProblem(name, questions)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (problem) return
    const named = name.trim()
    onKept()
    void patchQuestions(
      {
        add: {
          id: markIdOf(named, Date.now()),
          ...{ name: named, address, monthly: isMonthly, on_change: isOnChange },
        },
      },
      { failed: `บันทึกคำถาม “${named}” ไม่สำเร็จ`, done: `บันทึกคำถาม “${named}” แล้ว` },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="mt-3 space-y-2">
      <TextField
        label="ชื่อคำถาม"
        autoComplete="off"
        value={name}
        error={isTried || name !== suggested ? problem : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox checked={isMonthly} onChange={setMonthly}>
        ส่งอีเมลทุกวันที่ 1 ของเดือน
      </Checkbox>
      <Checkbox checked={isOnChange} onChange={setOnChange}>
        บอกเมื่อมีผู้ชนะรายใหม่ หรือสามอันดับแรกเปลี่ยน
      </Checkbox>
      <div className="flex justify-end">
        <Button type="submit" look="primary">
          บันทึกคำถาม
        </Button>
      </div>
    </form>
  )
}
