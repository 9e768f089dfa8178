import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import {
  type DataSourceStatus,
  type EnableDataSourceRequest,
  enableDataSourceRequestSchema,
} from '#contract/operation/sources.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { enableDataSource } from '#src/operation/api/sources.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

type SourceFormProps = { source: DataSourceStatus; onDone: () => void }

/** Form for a data source; submitting it also switches the source on. */
export function DataSourceForm({ source, onDone }: SourceFormProps) {
  const { needs_contact: needsContact } = source
  const { register, handleSubmit, formState, setError } = useForm<EnableDataSourceRequest>({
    resolver: standardSchemaResolver(enableDataSourceRequestSchema),
    mode: 'onTouched',
    defaultValues: {
      ...(needsContact ? { contact: source.contact ?? '' } : {}),
      opens_at: source.opens_at,
      closes_at: source.closes_at,
      pace_seconds: source.pace_seconds,
    },
  })
  const { errors, isSubmitting } = formState
  const { mutateAsync } = useMutation(enableDataSource)
  const { submit, refusal } = useFormSubmit(
    { handleSubmit, setError },
    ['contact', 'opens_at', 'closes_at', 'pace_seconds'],
    async (settings) => {
      await mutateAsync({ source: source.source, settings })
      showToast({ text: `${source.label} เปิดแล้ว`, tone: 'done' })
      onDone()
    },
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4 p-4">
      <FormSubmitError refusal={refusal} />
      {needsContact && (
        <TextField
          label="อีเมลติดต่อ"
          type="email"
          autoComplete="email"
          data-autofocus
          hint="ไปกับทุกคำขอ เพื่อให้ต้นทางบอกเราได้เมื่อมีปัญหา"
          error={errors.contact?.message}
          {...register('contact')}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField label="เริ่มถาม" inputMode="numeric" error={errors.opens_at?.message} {...register('opens_at')} />
        <TextField label="เลิกถาม" inputMode="numeric" error={errors.closes_at?.message} {...register('closes_at')} />
        <TextField
          label="ห่างกัน (วินาที)"
          type="number"
          inputMode="decimal"
          error={errors.pace_seconds?.message}
          {...register('pace_seconds', { valueAsNumber: true })}
        />
      </div>
      <p className="text-xs text-ink-muted wrap-anywhere">
        {source.address} · เปลี่ยนที่อยู่ได้ที่เครื่องแม่ข่ายเท่านั้น (npm run intake)
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>ยกเลิก</Button>
        <Button type="submit" variant="primary" pending={isSubmitting}>
          {source.is_on && source.halted === null ? 'บันทึก' : 'เปิดแหล่งนี้'}
        </Button>
      </div>
    </form>
  )
}
