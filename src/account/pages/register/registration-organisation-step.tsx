import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import { type BusinessType, REFERRAL_SOURCE_SUGGESTIONS } from '#contract/account/registration.ts'
import {
  organisationCheckRequestSchema,
  phoneCheckRequestSchema,
  type RegistrationStepTwoForm,
  registrationStepTwoFormSchema,
} from '#contract/account/registration-form.ts'
import { businessTypesQuery, submitRegistrationStepTwo } from '#src/account/api/registration.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { getFieldErrors } from '#src/lib/problem-error.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { NameFields } from '#src/ui/form/name-fields.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { JoinOrganisationOffer } from './join-organisation-offer.tsx'
import { type RegistrationDraft, readRegistrationDraft } from './registration-draft.ts'
import { useRegistrationFieldCheck } from './use-registration-field-check.tsx'

type BusinessTypesProps = {
  value: readonly number[] | null | undefined
  onChange: (ids: number[]) => void
  error: string | undefined
}

function BusinessTypes({ value, onChange, error }: BusinessTypesProps) {
  const { data: types = [] } = useQuery(businessTypesQuery)
  const chosen = value ?? []
  if (types.length === 0) return null
  const without = (ids: readonly number[]) => chosen.filter((id) => !ids.includes(id))
  const toggleType = ({ id, subtypes }: BusinessType, on: boolean) =>
    onChange(on ? [...chosen, id] : without([id, ...subtypes.map((subtype) => subtype.id)]))
  return (
    <fieldset>
      <legend className="mb-1 font-medium">
        ประเภทธุรกิจ <span className="font-normal text-ink-faint">(ไม่บังคับ เลือกได้หลายข้อ)</span>
      </legend>
      <ul className="max-h-56 overflow-y-auto rounded-control border border-line px-3 py-1.5">
        {types.map((type) => {
          const isOn = chosen.includes(type.id)
          return (
            <li key={type.id}>
              <Checkbox checked={isOn} onChange={(on) => toggleType(type, on)} className="py-0.5">
                {type.name}
                {type.description && <span className="block text-xs text-ink-faint">{type.description}</span>}
              </Checkbox>
              {isOn && type.subtypes.length > 0 && (
                <ul aria-label={type.name} className="pl-6.5">
                  {type.subtypes.map((subtype) => (
                    <li key={subtype.id}>
                      <Checkbox
                        checked={chosen.includes(subtype.id)}
                        onChange={(on) => onChange(on ? [...chosen, subtype.id] : without([subtype.id]))}
                        className="py-0.5"
                      >
                        {subtype.name}
                      </Checkbox>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
      {error && <p className="mt-1 text-sm text-urgent">{error}</p>}
    </fieldset>
  )
}

type StepTwoProps = {
  draft: RegistrationDraft & { readonly code: string }
  onDraft: (draft: RegistrationDraft) => void
  onBack: () => void
  onNext: (draft: RegistrationDraft) => Promise<void>
  onRunOut: () => void
}

const EMPTY: RegistrationStepTwoForm = {
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

export function RegistrationOrganisationStep({ draft, onDraft, onBack, onNext, onRunOut }: StepTwoProps) {
  const form = useSchemaForm(
    {
      schema: registrationStepTwoFormSchema,
      fields: FIELDS,
      mode: 'onTouched',
      defaultValues: { ...EMPTY, ...draft.organisation },
    },
    async (values): Promise<void> => {
      if (nameCheck.isTaken) return form.setFocus('organization_name')
      if (phoneCheck.isTaken) return form.setFocus('phone')
      try {
        const { email } = await submitRegistrationStepTwo({ register_form_code: draft.code, ...values })
        await onNext({ ...readRegistrationDraft(), organisation: values, mailedTo: email })
      } catch (error) {
        if (getFieldErrors(error, ['register_form_code']).length === 0) throw error
        onRunOut()
      }
    },
  )
  const { field } = form
  const storeDraft = useEffectEvent((organisation: Partial<RegistrationStepTwoForm>) => {
    // Read the draft again, because the page may have stored a newer one since this render.
    onDraft({ ...readRegistrationDraft(), organisation })
  })
  useEffect(() => {
    const { unsubscribe } = form.watch((values) => storeDraft(values as Partial<RegistrationStepTwoForm>))
    return unsubscribe
  }, [form.watch])

  const typed = form.watch()
  const name = organisationCheckRequestSchema.safeParse({ organizename: typed.organization_name }).data?.organizename
  // Checked from the first character on (specification section 5), so an available name may be too short.
  const isWholeName = registrationStepTwoFormSchema.shape.organization_name.safeParse(typed.organization_name).success
  const nameText = isWholeName ? 'ใช้ชื่อนี้ได้' : undefined
  const nameCheck = useRegistrationFieldCheck('organisation', name, field('organization_name'), nameText)
  const phone = phoneCheckRequestSchema.safeParse({ phone: typed.phone }).data?.phone
  const phoneCheck = useRegistrationFieldCheck('phone', phone, field('phone'), 'ใช้เบอร์นี้ได้')
  return (
    <SchemaForm form={form}>
      <TextField label="ชื่อองค์กร" autoComplete="organization" placeholder="เช่น บริษัท ธาราเมฆ จำกัด" {...nameCheck.field} />
      {nameCheck.isTaken && (
        <JoinOrganisationOffer
          key={name}
          readRequest={async () => {
            if (!(await form.trigger(['firstname', 'lastname'], { shouldFocus: true }))) return undefined
            const { organization_name, firstname, lastname } = form.getValues()
            return { register_form_code: draft.code, organization_name, firstname, lastname }
          }}
        />
      )}
      <NameFields first={field('firstname')} last={field('lastname')} />
      <TextField
        label="เบอร์โทรศัพท์"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        placeholder="0812345678"
        {...phoneCheck.field}
      />
      <BusinessTypes {...form.choice('organization_option')} />
      <ReferralSourceField control={form.control} />
      <div className="flex gap-2">
        <Button size="lg" onClick={onBack}>
          ย้อนกลับ
        </Button>
        <Button type="submit" variant="primary" size="lg" className="flex-1" pending={form.isSubmitting}>
          ส่งรหัสยืนยันไปที่อีเมล
        </Button>
      </div>
    </SchemaForm>
  )
}

const isOffered = (text: string) => (REFERRAL_SOURCE_SUGGESTIONS as readonly string[]).includes(text)

/** Asks how the user found us. `onBlur` is not passed on, so that the field is validated only on submit. */
function ReferralSourceField({ control }: { control: Control<RegistrationStepTwoForm> }) {
  const id = useId()
  const { field, fieldState } = useController({ control, name: 'discover_lightwork' })
  const { name, value, onChange, ref: registerField } = field
  const error = fieldState.error?.message
  const [isOther, setOther] = useState(value !== '' && !isOffered(value))
  const chosen = isOther ? 'อื่น ๆ' : value
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 font-medium">คำถามสุดท้าย: รู้จักตามงานจากช่องทางใด</legend>
      <div className="flex flex-wrap gap-1.5">
        {[...REFERRAL_SOURCE_SUGGESTIONS, 'อื่น ๆ'].map((channel, index) => (
          <label
            key={channel}
            className={classNames(
              'inline-flex min-h-8 items-center rounded-full border px-3 py-0.5 has-focus-visible:outline-2 has-focus-visible:outline-accent-ink touch:min-h-11',
              chosen === channel
                ? 'border-accent bg-accent-soft font-medium text-accent-ink'
                : 'border-control bg-surface text-ink-muted hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              ref={index === 0 && !isOther ? registerField : undefined}
              value={channel}
              checked={chosen === channel}
              onChange={() => {
                const isOtherChannel = channel === 'อื่น ๆ'
                setOther(isOtherChannel)
                onChange(isOtherChannel ? '' : channel)
              }}
              className="sr-only"
            />
            {channel}
          </label>
        ))}
      </div>
      {isOther && (
        <input
          ref={registerField}
          aria-label="ช่องทางอื่นที่รู้จักตามงาน"
          placeholder="เล่าสั้น ๆ ว่ารู้จักจากที่ไหน"
          maxLength={200}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className="mt-2 h-9 w-full rounded-control border border-control bg-surface px-3 placeholder:text-ink-faint touch:h-11 touch:text-lg"
        />
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm text-ink">
          {isOther && value.trim() === '' ? 'เล่าสั้น ๆ ว่ารู้จักจากที่ไหน แล้วสมัครต่อได้เลย' : error}
        </p>
      )}
    </fieldset>
  )
}
