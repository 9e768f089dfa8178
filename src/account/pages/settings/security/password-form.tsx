import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { NEW_PASSWORD_RULES } from '#contract/account/new-password.ts'
import { type PasswordChange, passwordChangeSchema } from '#contract/account/password-form.ts'
import { changePassword } from '#src/account/api/passwords.ts'
import { refreshSessionList } from '#src/account/api/session-list.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { NewPasswordFields, revalidatePasswordConfirmation } from '#src/account/new-password/new-password-fields.tsx'
import { RevokePasswordlessAccessCheckbox } from '#src/account/new-password/revoke-other-access-checkbox.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

const EMPTY: PasswordChange = { new_password: '', confirm_password: '', end_secret_addresses: false }

export function PasswordForm({ email, personalTexts }: { email: string | null; personalTexts: readonly string[] }) {
  const { register, handleSubmit, formState, watch, getValues, setValue, trigger, setError, reset } =
    useForm<PasswordChange>({
      resolver: standardSchemaResolver(passwordChangeSchema),
      mode: 'onTouched',
      defaultValues: EMPTY,
    })
  const { errors, isDirty, isSubmitting } = formState
  useUnsavedChanges(isDirty)
  const checkAgain = () => revalidatePasswordConfirmation({ getValues, trigger })
  const { submit, refusal } = useFormSubmit(
    { handleSubmit, setError },
    ['new_password', 'confirm_password'],
    async (form) => {
      await changePassword(form)
      reset(EMPTY)
      refreshSessionList()
      const endedText = form.end_secret_addresses ? ' และยกเลิกทุกทางเข้าที่ไม่ต้องใช้รหัสผ่านแล้ว' : ''
      showToast({ text: `เปลี่ยนรหัสผ่านแล้ว อุปกรณ์อื่นออกจากระบบแล้ว${endedText}`, tone: 'done' })
    },
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="max-w-sm space-y-4">
      <FormSubmitError refusal={refusal} />
      {/* Password managers store the new password with this user name. */}
      <input type="text" autoComplete="username" value={email ?? ''} readOnly hidden />
      <NewPasswordFields
        rules={NEW_PASSWORD_RULES}
        value={watch('new_password')}
        known={personalTexts}
        label="รหัสผ่านใหม่"
        password={{ ...register('new_password', { onChange: checkAgain }), error: errors.new_password?.message }}
        confirmation={{ ...register('confirm_password'), error: errors.confirm_password?.message }}
      />
      <RevokePasswordlessAccessCheckbox
        checked={watch('end_secret_addresses')}
        onChange={(checked) => setValue('end_secret_addresses', checked)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" pending={isSubmitting}>
          เปลี่ยนรหัสผ่าน
        </Button>
        <Link to="/reset-password" className={getButtonClasses('link')}>
          จำรหัสผ่านปัจจุบันไม่ได้
        </Link>
      </div>
    </form>
  )
}
