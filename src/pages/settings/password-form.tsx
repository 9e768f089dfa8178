import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { NEW_PASSWORD_RULES } from '#contract/new-password.ts'
import { type PasswordChange, passwordChangeSchema } from '#contract/password-form.ts'
import { changePassword } from '#src/api/passwords.ts'
import { refreshSessionList } from '#src/api/session-list.ts'
import { FormRefusal } from '#src/features/form-refusal/form-refusal.tsx'
import { showFieldErrors } from '#src/features/form-refusal/show-field-errors.ts'
import { checkRepetition } from '#src/features/new-password/check-repetition.ts'
import { NewPasswordFields } from '#src/features/new-password/new-password-fields.tsx'
import { useOneAtATime } from '#src/lib/use-one-at-a-time.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { PasswordField } from '#src/ui/password-field.tsx'
import { showToast } from '#src/ui/toast.ts'
import { useUnsaved } from './unsaved-changes.tsx'

const EMPTY: PasswordChange = { current_password: '', new_password: '', confirm_password: '' }

/** Change of the password; for who does not know the present one, the way over a mail. */
export function PasswordForm({ email }: { email: string | null }) {
  const { register, handleSubmit, formState, watch, getValues, trigger, setError, reset } = useForm<PasswordChange>({
    resolver: standardSchemaResolver(passwordChangeSchema),
    mode: 'onTouched',
    defaultValues: EMPTY,
  })
  const { errors, isDirty, isSubmitting } = formState
  useUnsaved(isDirty)
  const checkAgain = () => checkRepetition({ getValues, trigger })
  const [refusal, setRefusal] = useState<unknown>()
  const submit = useOneAtATime(
    handleSubmit(async (form) => {
      setRefusal(undefined)
      try {
        await changePassword(form)
      } catch (error) {
        if (!showFieldErrors(error, ['current_password', 'new_password', 'confirm_password'], setError))
          setRefusal(error)
        return
      }
      reset(EMPTY)
      refreshSessionList()
      showToast({ text: 'เปลี่ยนรหัสผ่านแล้ว อุปกรณ์อื่นออกจากระบบแล้ว', tone: 'done' })
    }),
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="max-w-sm space-y-4">
      <FormRefusal refusal={refusal} />
      {/* Password managers file the new password under this name. */}
      <input type="text" autoComplete="username" value={email ?? ''} readOnly hidden />
      <PasswordField label="รหัสผ่านปัจจุบัน" error={errors.current_password?.message} {...register('current_password')} />
      <NewPasswordFields
        rules={NEW_PASSWORD_RULES}
        value={watch('new_password')}
        label="รหัสผ่านใหม่"
        password={{ ...register('new_password', { onChange: checkAgain }), error: errors.new_password?.message }}
        again={{ ...register('confirm_password'), error: errors.confirm_password?.message }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" pending={isSubmitting} disabled={!isDirty}>
          เปลี่ยนรหัสผ่าน
        </Button>
        <Link to="/reset-password" className={buttonClasses('link')}>
          จำรหัสผ่านปัจจุบันไม่ได้
        </Link>
      </div>
    </form>
  )
}
