import { useMutation } from '@tanstack/react-query'
import { type FieldError, useWatch } from 'react-hook-form'
import { z } from 'zod/mini'
import {
  type OperatorOrganisationChange,
  type OperatorOrganisationDetails,
  ORGANISATION_FLAGS,
  ORGANISATION_LIMITS,
  operatorOrganisationChangeSchema,
} from '#contract/operation/operator-organisations.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { updateOrganisationAsOperator } from '#src/operation/api/operator-organisations.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { ORGANISATION_FLAG_TEXTS, ORGANISATION_LIMIT_NAMES, pickChangedFields } from './organisation-text.ts'

type OrganisationEdits = Pick<OperatorOrganisationDetails, 'package' | 'flags' | 'limits' | 'closed_hours'> & {
  /** Text such as `2568, 2569`; invalid entries become NaN, which the schema rejects. */
  budget_years: string
}

const yearsOf = (typed: string) =>
  typed
    .split(',')
    .filter((year) => year.trim() !== '')
    .map(Number)

/** Sends only the changed fields, so that the audit trail shows exactly those. */
const changeSchemaFor = (stored: OperatorOrganisationDetails) =>
  z.pipe(
    z.transform(
      (edits: OrganisationEdits): z.input<typeof operatorOrganisationChangeSchema> => ({
        ...pickChangedFields(
          { package: stored.package, budget_years: stored.budget_years, closed_hours: stored.closed_hours },
          { package: edits.package, budget_years: yearsOf(edits.budget_years), closed_hours: edits.closed_hours },
        ),
        flags: pickChangedFields(stored.flags, edits.flags) ?? {},
        limits: pickChangedFields(stored.limits, edits.limits) ?? {},
      }),
    ),
    operatorOrganisationChangeSchema,
  )

export function OrganisationForm({ organisation }: { organisation: OperatorOrganisationDetails }) {
  const { mutateAsync } = useMutation(updateOrganisationAsOperator)
  const form = useSchemaForm<OrganisationEdits, OperatorOrganisationChange>(
    {
      schema: changeSchemaFor(organisation),
      fields: ['package', 'budget_years'],
      defaultValues: {
        package: organisation.package,
        flags: organisation.flags,
        limits: organisation.limits,
        budget_years: organisation.budget_years.join(', '),
        closed_hours: organisation.closed_hours,
      },
    },
    async (change) => {
      await mutateAsync({ code: organisation.code, change })
      showDoneToast(`บันทึก ${organisation.name} แล้ว`)
    },
  )
  const { errors, isDirty } = form.formState
  const flags = useWatch({ control: form.control, name: 'flags' })
  const hours = useWatch({ control: form.control, name: 'closed_hours' })
  return (
    <SchemaForm form={form}>
      <TextField label="แพ็กเกจ" {...form.field('package')} />
      <fieldset>
        <legend className="mb-1 font-semibold">ส่วนที่เปิดให้ใช้</legend>
        {ORGANISATION_FLAGS.map((flag) => (
          <Switch
            key={flag}
            label={ORGANISATION_FLAG_TEXTS[flag].th}
            checked={flags[flag]}
            onChange={(on) => form.setValue(`flags.${flag}`, on, { shouldDirty: true })}
          >
            {ORGANISATION_FLAG_TEXTS[flag].means}
          </Switch>
        ))}
      </fieldset>
      <TextField
        label="ปีงบประมาณที่เปิดให้ดู"
        hint="ปี พ.ศ. คั่นด้วยจุลภาค เช่น 2568, 2569"
        error={yearsProblemOf(errors.budget_years)}
        {...form.register('budget_years')}
      />
      <fieldset>
        <legend className="mb-1 font-semibold">จำนวนสูงสุด</legend>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {ORGANISATION_LIMITS.map((limit) => (
            <TextField
              key={limit}
              label={ORGANISATION_LIMIT_NAMES[limit]}
              type="number"
              inputMode="numeric"
              min={0}
              {...form.field(`limits.${limit}`, { valueAsNumber: true })}
            />
          ))}
        </div>
      </fieldset>
      <fieldset className="space-y-2">
        <legend className="mb-1 font-semibold">เวลาที่แก้รายการติดตามไม่ได้</legend>
        <Checkbox
          checked={hours !== null}
          onChange={(on) =>
            form.setValue('closed_hours', on ? { start: '01:00', end: '09:00' } : null, { shouldDirty: true })
          }
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
                {...form.field(`closed_hours.${end}`)}
              />
            ))}
          </div>
        )}
      </fieldset>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" pending={form.isSubmitting} disabled={!isDirty}>
          บันทึก
        </Button>
      </div>
    </SchemaForm>
  )
}

/** The years are one text field, although the schema reports each invalid year by its index. */
function yearsProblemOf(error: FieldError | (FieldError | undefined)[] | undefined): string | undefined {
  return Array.isArray(error) ? error.find((item) => item !== undefined)?.message : error?.message
}
