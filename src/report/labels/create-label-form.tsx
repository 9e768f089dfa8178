import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { MAX_LABEL_NAME_LENGTH } from '#contract/account/label.ts'
import { useUser } from '#src/account/api/users.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { createLabel } from './label-changes.ts'
import { createUniqueLabelSchema } from './unique-label-schema.ts'

export function CreateLabelForm({ canCreate }: { canCreate: boolean }) {
  const { project_labels: labels } = useUser()
  const { register, handleSubmit, formState, reset } = useForm<{ name: string }>({
    resolver: standardSchemaResolver(createUniqueLabelSchema(labels)),
    defaultValues: { name: '' },
  })
  const reasonId = useId()
  const create = handleSubmit(({ name }) => {
    reset()
    void createLabel(name, labels, [])
  })
  return (
    <form
      noValidate
      onSubmit={(event) => void create(event)}
      className="flex flex-wrap items-start gap-2 border-b border-line px-4 py-3"
    >
      <TextField
        label="ชื่อป้ายใหม่"
        hideLabel
        placeholder="ชื่อป้ายใหม่"
        autoComplete="off"
        maxLength={MAX_LABEL_NAME_LENGTH}
        disabled={!canCreate}
        aria-describedby={canCreate ? undefined : reasonId}
        error={formState.errors.name?.message}
        {...register('name')}
        className="min-w-40 flex-1"
      />
      <Button type="submit" disabled={!canCreate}>
        สร้างป้าย
      </Button>
      {!canCreate && (
        <p id={reasonId} className="w-full text-sm text-updated">
          ใช้ป้ายครบจำนวนแล้ว ลบป้ายที่ไม่ใช้ก่อน จึงจะสร้างเพิ่มได้
        </p>
      )}
    </form>
  )
}
