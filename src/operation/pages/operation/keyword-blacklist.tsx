import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type { OperatorKeywords } from '#contract/operation/operator-keywords.ts'
import { blacklistWordSchema } from '#contract/operation/operator-keywords.ts'
import { useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { updateKeywordBlacklist } from '#src/operation/api/operator-keywords.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

export function KeywordBlacklist({ words }: { words: OperatorKeywords['blacklist'] }) {
  const { register, handleSubmit, setError, reset, formState } = useForm<{ word: string }>({
    resolver: standardSchemaResolver(blacklistWordSchema),
    defaultValues: { word: '' },
  })
  const { mutate, mutateAsync, isPending, variables } = useMutation(updateKeywordBlacklist)
  const { submit, refusal } = useFormSubmit({ handleSubmit, setError }, ['word'], async ({ word }) => {
    await mutateAsync({ word, add: true })
    reset()
  })
  const refusalText = refusal === undefined ? undefined : formatErrorMessage(refusal)
  const remove = (word: string) =>
    mutate(
      { word, add: false },
      {
        onError: (error) => showToast({ text: `นำ “${word}” ออกไม่สำเร็จ: ${formatErrorMessage(error)}`, tone: 'error' }),
      },
    )

  return (
    <Card as="section" aria-labelledby="blacklist" className="space-y-3 px-4 py-3 lg:px-5">
      <div>
        <h2 id="blacklist" className="font-semibold">
          คำที่ห้ามติดตาม{' '}
          <span className="font-normal text-ink-muted tabular-nums">{formatCountWithSeparators(words.length)}</span>
        </h2>
        <p className="text-sm text-ink-muted">ไม่มีองค์กรใดเพิ่มคำเหล่านี้ได้ รายการที่มีคำอยู่ก่อนแล้วยังเก็บไว้</p>
      </div>
      <form noValidate onSubmit={submit} className="flex max-w-md items-start gap-2">
        <TextField
          label="คำที่จะห้าม"
          hideLabel
          placeholder="เช่น จำนวน"
          error={formState.errors.word?.message ?? refusalText}
          className="min-w-0 flex-1"
          {...register('word')}
        />
        <Button type="submit" icon={Plus} pending={isPending && variables.add}>
          เพิ่ม
        </Button>
      </form>
      {words.length === 0 ? (
        <p className="text-sm text-ink-muted">ยังไม่มีคำที่ห้าม</p>
      ) : (
        <ul aria-label="คำที่ห้ามติดตาม" className="flex flex-wrap gap-2">
          {words.map(({ word, created_at: createdAt }) => (
            <li
              key={word}
              title={`ตั้งแต่ ${formatThaiDateTime(createdAt)}`}
              className="inline-flex items-center gap-1 rounded-full border border-line bg-surface-muted pl-3 wrap-anywhere"
            >
              {word}
              <IconButton icon={X} label={`นำ ${word} ออก`} onClick={() => remove(word)} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
