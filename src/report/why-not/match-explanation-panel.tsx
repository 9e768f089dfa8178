import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { extractProjectId } from '#contract/catalogue/project-id.ts'
import { matchExplanationQuery } from '#src/matching/api/keyword-impact.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { MatchExplanationAnswer } from './match-explanation-answer.tsx'

type MatchExplanationPanelProps = {
  id: string | undefined
  onChange: (id: string | undefined) => void
}

const UNREADABLE_TEXT = 'ไม่พบเลขที่โครงการ วางเลข 11 หลักของโครงการเดียว หรือลิงก์จาก e-GP'

export function MatchExplanationPanel({ id, onChange }: MatchExplanationPanelProps) {
  const { register, handleSubmit, setValue, clearErrors, formState } = useForm({
    values: { project: id ?? '' },
    reValidateMode: 'onSubmit',
  })
  const explanation = useQuery({ ...matchExplanationQuery(id ?? ''), enabled: id !== undefined })
  const { data: why, isFetching, refetch } = explanation

  const ask = (text: string): boolean => {
    const parsedId = extractProjectId(text)
    if (parsedId === undefined) return false
    setValue('project', parsedId)
    clearErrors()
    if (parsedId === id) void refetch()
    else onChange(parsedId)
    return true
  }
  return (
    <section aria-label="ทำไมไม่อยู่ในรายงาน" className="flex flex-col gap-4">
      <form
        onSubmit={handleSubmit(({ project }) => void ask(project))}
        noValidate
        className="flex max-w-2xl items-start gap-2 max-sm:flex-col"
      >
        <TextField
          label="เลขที่โครงการ"
          icon={Search}
          inputMode="text"
          autoComplete="off"
          spellCheck={false}
          placeholder="วางเลข 11 หลัก หรือลิงก์จาก e-GP"
          {...register('project', {
            validate: (text) => extractProjectId(text) !== undefined || UNREADABLE_TEXT,
            onChange: () => clearErrors(),
          })}
          error={formState.errors.project?.message}
          onPaste={(event) => {
            if (ask(event.clipboardData.getData('text'))) event.preventDefault()
          }}
          className="w-full min-w-0 flex-1"
        />
        <Button type="submit" variant="primary" pending={isFetching} className="max-sm:w-full sm:mt-6.5 touch:h-11.5">
          ตรวจสอบ
        </Button>
      </form>
      <VisuallyHidden live>
        {why && id !== undefined && !isFetching
          ? why.in_report
            ? `โครงการ ${id} อยู่ในรายงาน`
            : `โครงการ ${id} ไม่อยู่ในรายงาน ${why.rules.find(({ passed }) => !passed)?.text ?? ''}`
          : ''}
      </VisuallyHidden>
      {id === undefined ? (
        <p className="text-ink-muted">ดูทีละเงื่อนไขว่าโครงการหนึ่งเข้ารายงานหรือไม่ เพราะอะไร และทำอะไรได้</p>
      ) : (
        <QueryView
          query={explanation}
          task="ตรวจสอบโครงการนี้"
          skeleton={<SkeletonGroup label="กำลังตรวจสอบ" className="flex flex-col gap-3" bars={['h-12', 'h-24']} />}
        >
          {(answer) => <MatchExplanationAnswer id={id} why={answer} />}
        </QueryView>
      )}
    </section>
  )
}
