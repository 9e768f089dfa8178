import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useState } from 'react'
import { Controller, type SubmitHandler, useForm } from 'react-hook-form'
import {
  checkOrganisationSchema,
  checkPhoneSchema,
  type RegisterStepTwoForm,
  registerStepTwoFormSchema,
} from '#contract/registration-form.ts'
import { fieldErrorsOf } from '#src/api/field-errors.ts'
import { checkOrganisation, checkPhone, registerStepTwo } from '#src/api/registration.ts'
import { FormRefusal } from '#src/features/form-refusal/form-refusal.tsx'
import { showFieldErrors } from '#src/features/form-refusal/show-field-errors.ts'
import { useOneAtATime } from '#src/lib/use-one-at-a-time.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { BusinessTypes } from './business-types.tsx'
import { DiscoveryField } from './discovery-field.tsx'
import { FieldNote } from './field-note.tsx'
import { type RegistrationDraft, readDraft } from './registration-draft.ts'
import { checkWords, useAvailability } from './use-availability.ts'

type StepTwoProps = {
  draft: RegistrationDraft & { readonly code: string }
  onDraft: (draft: RegistrationDraft) => void
  onBack: () => void
  /** Resolves when the first code has been asked for. */
  onNext: (draft: RegistrationDraft) => Promise<void>
  /** The server does not know the form's code any more. */
  onRunOut: () => void
}

const EMPTY: RegisterStepTwoForm = {
  organization_name: '',
  firstname: '',
  lastname: '',
  phone: '',
  organization_option: [],
  discover_lightwork: '',
}
const FIELDS = [
  'organization_name',
  'firstname',
  'lastname',
  'phone',
  'organization_option',
  'discover_lightwork',
] as const

/** Step two: the organisation and the person. What is typed is kept at every key press. */
export function StepTwo({ draft, onDraft, onBack, onNext, onRunOut }: StepTwoProps) {
  const { register, control, handleSubmit, formState, watch, setError, setFocus, setValue } =
    useForm<RegisterStepTwoForm>({
      resolver: standardSchemaResolver(registerStepTwoFormSchema),
      mode: 'onTouched',
      defaultValues: { ...EMPTY, ...draft.organisation },
    })
  const { errors, isSubmitting } = formState
  const [refusal, setRefusal] = useState<unknown>()
  useEffect(() => {
    const { unsubscribe } = watch((values) => {
      // Read again: the draft of this rendering may be older than what the page has stored since.
      onDraft({ ...readDraft(), organisation: values as Partial<RegisterStepTwoForm> })
    })
    return unsubscribe
  }, [watch, onDraft])

  const typed = watch()
  const name = checkOrganisationSchema.safeParse({ organizename: typed.organization_name }).data?.organizename
  const nameCheck = useAvailability(name, checkOrganisation)
  const nameWords = checkWords(nameCheck, 'ใช้ชื่อนี้ได้')
  const phone = checkPhoneSchema.safeParse({ phone: typed.phone }).data?.phone
  const phoneCheck = useAvailability(phone, checkPhone)
  const phoneWords = checkWords(phoneCheck, 'ใช้เบอร์นี้ได้')

  const send: SubmitHandler<RegisterStepTwoForm> = async (form) => {
    setRefusal(undefined)
    if (nameCheck?.is === 'taken') return setFocus('organization_name')
    if (phoneCheck?.is === 'taken') return setFocus('phone')
    try {
      const { email } = await registerStepTwo({ register_form_code: draft.code, ...form })
      await onNext({ ...readDraft(), organisation: form, mailedTo: email })
    } catch (error) {
      if (fieldErrorsOf(error, ['register_form_code']).length > 0) return onRunOut()
      if (!showFieldErrors(error, FIELDS, setError)) setRefusal(error)
    }
  }
  const submit = useOneAtATime(handleSubmit(send))
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4">
      <FormRefusal refusal={refusal} />
      <TextField
        label="ชื่อองค์กร"
        autoComplete="organization"
        placeholder="เช่น บริษัท ธาราเมฆ จำกัด"
        // While it is too short to be a name, the rule says more than the check.
        error={errors.organization_name?.message ?? nameWords.error}
        hint={<FieldNote text={nameWords.hint} isGood={nameCheck?.is === 'free'} />}
        {...register('organization_name')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="ชื่อ" autoComplete="given-name" error={errors.firstname?.message} {...register('firstname')} />
        <TextField
          label="นามสกุล"
          autoComplete="family-name"
          error={errors.lastname?.message}
          {...register('lastname')}
        />
      </div>
      <TextField
        label="เบอร์โทรศัพท์"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        placeholder="0812345678"
        error={errors.phone?.message ?? phoneWords.error}
        hint={<FieldNote text={phoneWords.hint} isGood={phoneCheck?.is === 'free'} />}
        {...register('phone')}
      />
      <BusinessTypes
        chosen={typed.organization_option ?? []}
        onChange={(ids) => setValue('organization_option', ids)}
        error={errors.organization_option?.message}
      />
      <Controller
        name="discover_lightwork"
        control={control}
        render={({ field, fieldState }) => <DiscoveryField field={field} error={fieldState.error?.message} />}
      />
      <div className="flex gap-2">
        <Button size="lg" onClick={onBack}>
          ย้อนกลับ
        </Button>
        <Button type="submit" look="primary" size="lg" className="flex-1" pending={isSubmitting}>
          ส่งรหัสยืนยันไปที่อีเมล
        </Button>
      </div>
    </form>
  )
}
