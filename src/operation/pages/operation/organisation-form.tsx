import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import {
  OPERATED_FLAGS,
  OPERATED_LIMITS,
  type OperatedOrganisationDetails,
  organisationChangeSchema,
} from '#contract/operation/operator-organisations.ts'
import { FormRefusal } from '#src/account/form-refusal/form-refusal.tsx'
import { changeOperatedOrganisation } from '#src/operation/api/operator-organisations.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { ORGANISATION_FLAG_TEXTS, ORGANISATION_LIMIT_NAMES, pickChangedFields } from './organisation-text.ts'

type EditableSettings = Pick<
  OperatedOrganisationDetails,
  'package' | 'flags' | 'limits' | 'budget_years' | 'closed_hours'
>

/** Parses `2568, 2569`; invalid entries become NaN, which the schema rejects. */
const yearsOf = (typed: string) =>
  typed
    .split(',')
    .filter((year) => year.trim() !== '')
    .map(Number)

/** Sends only the changed fields, so that the audit trail shows exactly these. */
export function OrganisationForm({ organisation }: { organisation: OperatedOrganisationDetails }) {
  const stored: EditableSettings = {
    package: organisation.package,
    flags: organisation.flags,
    limits: organisation.limits,
    budget_years: organisation.budget_years,
    closed_hours: organisation.closed_hours,
  }
  const [typed, setTyped] = useState(stored)
  const [years, setYears] = useState(stored.budget_years.join(', '))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [refusal, setRefusal] = useState<unknown>()
  const { mutateAsync, isPending } = useMutation(changeOperatedOrganisation)
  const current = { ...typed, budget_years: yearsOf(years) }
  const isChanged = pickChangedFields(stored, current) !== undefined

  async function save(event: FormEvent) {
    event.preventDefault()
    const change = {
      ...pickChangedFields(
        { package: stored.package, budget_years: stored.budget_years, closed_hours: stored.closed_hours },
        { package: current.package, budget_years: current.budget_years, closed_hours: current.closed_hours },
      ),
      flags: pickChangedFields(stored.flags, current.flags) ?? {},
      limits: pickChangedFields(stored.limits, current.limits) ?? {},
    }
    const parsed = organisationChangeSchema.safeParse(change)
    setErrors(
      Object.fromEntries(
        (parsed.error?.issues ?? []).map(({ path, message }) => [
          path.slice(0, path[0] === 'limits' ? 2 : 1).join('.'),
          message,
        ]),
      ),
    )
    if (!parsed.success) return
    setRefusal(undefined)
    try {
      await mutateAsync({ code: organisation.code, change: parsed.data })
      showToast({ text: `บันทึก ${organisation.name} แล้ว`, tone: 'done' })
    } catch (error) {
      setRefusal(error)
    }
  }

  const { closed_hours: hours } = typed
  return (
    <form noValidate onSubmit={(event) => void save(event)} aria-busy={isPending} className="space-y-4">
      <FormRefusal refusal={refusal} />
      <TextField
        label="แพ็กเกจ"
        value={typed.package}
        error={errors.package}
        onChange={({ currentTarget: { value } }) => setTyped({ ...typed, package: value })}
      />
      <fieldset>
        <legend className="mb-1 font-semibold">ส่วนที่เปิดให้ใช้</legend>
        {OPERATED_FLAGS.map((flag) => (
          <Switch
            key={flag}
            label={ORGANISATION_FLAG_TEXTS[flag].th}
            checked={typed.flags[flag]}
            onChange={(on) => setTyped({ ...typed, flags: { ...typed.flags, [flag]: on } })}
          >
            {ORGANISATION_FLAG_TEXTS[flag].means}
          </Switch>
        ))}
      </fieldset>
      <TextField
        label="ปีงบประมาณที่เปิดให้ดู"
        hint="ปี พ.ศ. คั่นด้วยจุลภาค เช่น 2568, 2569"
        value={years}
        error={errors.budget_years}
        onChange={({ currentTarget: { value } }) => setYears(value)}
      />
      <fieldset>
        <legend className="mb-1 font-semibold">จำนวนสูงสุด</legend>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {OPERATED_LIMITS.map((limit) => (
            <TextField
              key={limit}
              label={ORGANISATION_LIMIT_NAMES[limit]}
              type="number"
              inputMode="numeric"
              min={0}
              value={Number.isNaN(typed.limits[limit]) ? '' : typed.limits[limit]}
              error={errors[`limits.${limit}`]}
              onChange={({ currentTarget: { valueAsNumber } }) =>
                setTyped({ ...typed, limits: { ...typed.limits, [limit]: valueAsNumber } })
              }
            />
          ))}
        </div>
      </fieldset>
      <fieldset className="space-y-2">
        <legend className="mb-1 font-semibold">เวลาที่แก้รายการติดตามไม่ได้</legend>
        <Checkbox
          checked={hours !== null}
          onChange={(on) => setTyped({ ...typed, closed_hours: on ? { start: '01:00', end: '09:00' } : null })}
        >
          ปิดการแก้ไขเป็นช่วงเวลา
        </Checkbox>
        {hours && (
          <div className="grid grid-cols-2 gap-3 sm:max-w-80">
            {(['start', 'end'] as const).map((end) => (
              <TextField
                key={end}
                label={end === 'start' ? 'ตั้งแต่' : 'ถึง'}
                inputMode="numeric"
                value={hours[end]}
                error={end === 'start' ? errors.closed_hours : undefined}
                onChange={({ currentTarget: { value } }) =>
                  setTyped({ ...typed, closed_hours: { ...hours, [end]: value } })
                }
              />
            ))}
          </div>
        )}
      </fieldset>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" pending={isPending} disabled={!isChanged}>
          บันทึก
        </Button>
      </div>
    </form>
  )
}
