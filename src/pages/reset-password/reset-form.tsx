import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { NEW_PASSWORD_RULES } from '#contract/new-password.ts'
import type { ResetProblem } from '#contract/password.ts'
import { type ResetConfirm, resetConfirmSchema } from '#contract/password-form.ts'
import { confirmPasswordReset, resetProblemOf } from '#src/api/passwords.ts'
import { FormRefusal } from '#src/features/form-refusal/form-refusal.tsx'
import { showFieldErrors } from '#src/features/form-refusal/show-field-errors.ts'
import { checkRepetition } from '#src/features/new-password/check-repetition.ts'
import { NewPasswordFields } from '#src/features/new-password/new-password-fields.tsx'
import { useOneAtATime } from '#src/lib/use-one-at-a-time.ts'
import { Button } from '#src/ui/button.tsx'

type ResetFormProps = {
  token: string
  /** The account's address, its middle hidden. */
  email: string
  onDone: () => void
  /** The link stopped working since it was opened. */
  onBadLink: (why: ResetProblem['code']) => void
}

/** The new password of a reset link. */
export function ResetForm({ token, email, onDone, onBadLink }: ResetFormProps) {
  const { register, handleSubmit, formState, watch, getValues, trigger, setError } = useForm<ResetConfirm>({
    resolver: standardSchemaResolver(resetConfirmSchema),
    mode: 'onTouched',
    defaultValues: { new_password: '', confirm_password: '' },
  })
  const { errors, isSubmitting } = formState
  const checkAgain = () => checkRepetition({ getValues, trigger })
  const [refusal, setRefusal] = useState<unknown>()
  const submit = useOneAtATime(
    handleSubmit(async (form) => {
      setRefusal(undefined)
      try {
        await confirmPasswordReset(token, form)
      } catch (error) {
        const why = resetProblemOf(error)
        if (why !== undefined) return onBadLink(why)
        if (!showFieldErrors(error, ['new_password', 'confirm_password'], setError)) setRefusal(error)
        return
      }
      onDone()
    }),
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4">
      <div>
        <h1 className="text-2xl font-semibold">ตั้งรหัสผ่านใหม่</h1>
        <p className="text-ink-muted">
          ของบัญชี <span className="wrap-anywhere">{email}</span> เมื่อตั้งแล้วจะออกจากระบบทุกอุปกรณ์
        </p>
      </div>
      <FormRefusal refusal={refusal} />
      <NewPasswordFields
        rules={NEW_PASSWORD_RULES}
        value={watch('new_password')}
        label="รหัสผ่านใหม่"
        password={{
          ...register('new_password', { onChange: checkAgain }),
          error: errors.new_password?.message,
        }}
        again={{ ...register('confirm_password'), error: errors.confirm_password?.message }}
      />
      <Button type="submit" look="primary" size="lg" className="w-full" pending={isSubmitting}>
        ตั้งรหัสผ่านใหม่
      </Button>
    </form>
  )
}
