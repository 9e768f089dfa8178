import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { firstNameSchema, lastNameSchema } from '#contract/person-name.ts'
import type { User } from '#contract/user.ts'
import { userPatchMutation } from '#src/api/user-patches.ts'
import { useOneAtATime } from '#src/lib/use-one-at-a-time.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { useUnsaved } from './unsaved-changes.tsx'

const nameFormSchema = z.object({ first_name: firstNameSchema, last_name: lastNameSchema })
type NameFormValues = z.output<typeof nameFormSchema>
const saveName = userPatchMutation({ failed: 'บันทึกชื่อไม่สำเร็จ', done: 'บันทึกชื่อแล้ว' })

/** First and last name, by the rules of registration. */
export function NameForm({ user }: { user: Pick<User, 'first_name' | 'last_name'> }) {
  const { register, handleSubmit, formState, reset } = useForm<NameFormValues>({
    resolver: standardSchemaResolver(nameFormSchema),
    mode: 'onTouched',
    defaultValues: { first_name: user.first_name ?? '', last_name: user.last_name ?? '' },
  })
  const { errors, isDirty } = formState
  useUnsaved(isDirty)
  const { mutateAsync, isPending } = useMutation(saveName)
  const submit = useOneAtATime(
    handleSubmit(async (names) => {
      // A failure is told by the layout.
      await mutateAsync(names).then(
        () => reset(names),
        () => undefined,
      )
    }),
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isPending} className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="ชื่อ"
          autoComplete="given-name"
          error={errors.first_name?.message}
          {...register('first_name')}
        />
        <TextField
          label="นามสกุล"
          autoComplete="family-name"
          error={errors.last_name?.message}
          {...register('last_name')}
        />
      </div>
      <div className="flex justify-end gap-2">
        {isDirty && <Button onClick={() => reset()}>ยกเลิก</Button>}
        <Button type="submit" look="primary" disabled={!isDirty} pending={isPending}>
          บันทึก
        </Button>
      </div>
    </form>
  )
}
