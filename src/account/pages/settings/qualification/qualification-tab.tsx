import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import {
  MAX_CERTIFICATES,
  MAX_CONTRACTOR_CLASSES,
  MAX_PAST_WORKS,
  MAX_STAFF_GROUPS,
  type Qualifications,
  type QualificationsPatch,
  SME_CLASSES,
  type SmeClass,
} from '#contract/account/qualification.ts'
import { formatBaht, parseThaiMoney } from '#contract/thai/thai-number.ts'
import { qualificationsQuery, saveQualifications } from '#src/account/api/qualifications.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { EditableRowsForm } from '#src/account/pages/settings/form/editable-rows-form.tsx'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { Button } from '#src/ui/button.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonBars, SkeletonGroup } from '#src/ui/skeleton.tsx'
import {
  CERTIFICATE_FIELDS,
  CONTRACTOR_CLASS_FIELDS,
  PAST_WORK_FIELDS,
  parseCertificate,
  parseContractorClass,
  parsePastWork,
  parseStaffGroup,
  STAFF_GROUP_FIELDS,
  toCertificateDraft,
  toPastWorkDraft,
  toStaffGroupDraft,
} from './qualification-rows.ts'

export function QualificationTab() {
  const qualifications = useQuery(qualificationsQuery)
  return (
    <QueryView
      query={qualifications}
      errorTitle="โหลดคุณสมบัติของบริษัทไม่สำเร็จ"
      skeleton={
        <SkeletonGroup className="space-y-3">
          <SkeletonBars sizes={['h-40', 'h-64']} />
        </SkeletonGroup>
      }
    >
      {(data) => <QualificationSections data={data} />}
    </QueryView>
  )
}

function QualificationSections({ data }: { data: Qualifications }) {
  return (
    <>
      <SettingsSection
        title="ฐานะของบริษัท"
        description="เห็นเฉพาะคนในองค์กรของคุณ ระบบใช้เทียบกับข้อกำหนดในเอกสารของโครงการ แล้วบอกว่าได้ ไม่ได้ หรือต้องถาม"
      >
        <FinanceForm key={JSON.stringify([data.capital, data.net_worth, data.bond_line, data.sme])} data={data} />
      </SettingsSection>
      <SettingsSection
        title="ผลงาน"
        description="สัญญาละหนึ่งรายการ คำบอกประเภทคือคำที่ต้องพบในข้อกำหนดหรือชื่อโครงการ จึงจะนับว่าเป็นงานประเภทเดียวกัน"
      >
        <EditableRowsForm
          key={JSON.stringify(data.past_works)}
          rowNoun="ผลงาน"
          rows={data.past_works.map(toPastWorkDraft)}
          maxRows={MAX_PAST_WORKS}
          fields={PAST_WORK_FIELDS}
          empty={{ name: '', kinds: '', agency: '', baht: '', year: '' }}
          parseRow={parsePastWork}
          onSave={(past_works) => save({ past_works })}
        />
      </SettingsSection>
      <SettingsSection
        title="ใบรับรองและใบอนุญาต"
        description="รวม ISO มอก. SME-GP และใบอนุญาต ระบบเทียบวันหมดอายุกับวันยื่นข้อเสนอของแต่ละโครงการ"
      >
        <EditableRowsForm
          key={JSON.stringify(data.certificates)}
          rowNoun="ใบรับรอง"
          rows={data.certificates.map(toCertificateDraft)}
          maxRows={MAX_CERTIFICATES}
          fields={CERTIFICATE_FIELDS}
          empty={{ name: '', number: '', expires_on: '' }}
          parseRow={parseCertificate}
          onSave={(certificates) => save({ certificates })}
        />
      </SettingsSection>
      <SettingsSection title="ชั้นผู้รับเหมา" description="สาขาและชั้นตามที่ขึ้นทะเบียนผู้ประกอบการงานก่อสร้างไว้กับกรมบัญชีกลาง">
        <EditableRowsForm
          key={JSON.stringify(data.classes)}
          rowNoun="ชั้นผู้รับเหมา"
          rows={data.classes.map(({ branch, grade }) => ({ branch, grade: String(grade) }))}
          maxRows={MAX_CONTRACTOR_CLASSES}
          fields={CONTRACTOR_CLASS_FIELDS}
          empty={{ branch: '', grade: '6' }}
          parseRow={parseContractorClass}
          onSave={(classes) => save({ classes })}
        />
      </SettingsSection>
      <SettingsSection
        title="บุคลากร"
        description="จำนวนคนตามตำแหน่งที่เอกสารมักเรียก ไม่ต้องใส่ชื่อคน วุฒิและปีให้ใส่ของคนที่น้อยที่สุดในแถวนั้น"
      >
        <EditableRowsForm
          key={JSON.stringify(data.people)}
          rowNoun="บุคลากร"
          rows={data.people.map(toStaffGroupDraft)}
          maxRows={MAX_STAFF_GROUPS}
          fields={STAFF_GROUP_FIELDS}
          empty={{ position: '', count: '', degree: 'none', years: '' }}
          parseRow={parseStaffGroup}
          onSave={(people) => save({ people })}
        />
      </SettingsSection>
    </>
  )
}

async function save(patch: QualificationsPatch): Promise<void> {
  await saveQualifications(patch)
  showToast({ text: 'บันทึกคุณสมบัติของบริษัทแล้ว', tone: 'done' })
}

const SME_OPTIONS = [{ value: '', th: 'ยังไม่ระบุ' }, ...SME_CLASSES.map(({ code, th }) => ({ value: code, th }))]
const moneyText = (baht: number | null) => (baht === null ? '' : formatBaht(baht))
const LEADING_MINUS = /^\s*[-–]\s*/

/** Schema for an amount in baht, negative with a leading minus; null when empty. */
const moneySchema = z.pipe(
  z.string(),
  z.transform((text, context) => {
    if (text.trim() === '') return null
    const entry = parseThaiMoney(text.replace(LEADING_MINUS, ''))
    if (entry.ok) return LEADING_MINUS.test(text) ? -entry.baht : entry.baht
    context.issues.push({ code: 'custom', input: text, message: entry.message })
    return z.NEVER
  }),
)
const smeSchema = z.union([z.enum(SME_CLASSES.map(({ code }) => code)), z.literal('')])
const financeSchema = z.object({ capital: moneySchema, net_worth: moneySchema, bond_line: moneySchema, sme: smeSchema })
const FINANCE_FIELDS = ['capital', 'net_worth', 'bond_line', 'sme'] as const

function FinanceForm({ data }: { data: Qualifications }) {
  const { register, handleSubmit, formState, watch, setValue, setError } = useForm<
    z.input<typeof financeSchema>,
    unknown,
    z.output<typeof financeSchema>
  >({
    resolver: standardSchemaResolver(financeSchema),
    mode: 'onChange',
    defaultValues: {
      capital: moneyText(data.capital),
      net_worth: moneyText(data.net_worth),
      bond_line: moneyText(data.bond_line),
      sme: data.sme ?? '',
    },
  })
  const { errors, isDirty, isValid, isSubmitting } = formState
  useUnsavedChanges(isDirty)
  const { submit, refusal } = useFormSubmit({ handleSubmit, setError }, FINANCE_FIELDS, ({ sme, ...amounts }) =>
    save({ ...amounts, sme: sme === '' ? null : sme }),
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-3">
      <FormSubmitError refusal={refusal} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="ทุนจดทะเบียน (บาท)"
          inputMode="decimal"
          autoComplete="off"
          placeholder="เช่น 5 ล้าน"
          error={errors.capital?.message}
          {...register('capital')}
        />
        <TextField
          label="มูลค่าสุทธิของกิจการ (บาท)"
          autoComplete="off"
          placeholder="สินทรัพย์หักหนี้สินของงบล่าสุด"
          error={errors.net_worth?.message}
          {...register('net_worth')}
        />
        <TextField
          label="วงเงินค้ำประกันที่เหลือ (บาท)"
          inputMode="decimal"
          autoComplete="off"
          placeholder="หนังสือค้ำประกันที่ธนาคารยังออกให้ได้"
          error={errors.bond_line?.message}
          {...register('bond_line')}
        />
        <div>
          <span aria-hidden className="mb-1 block font-medium">
            ขนาดของกิจการ
          </span>
          <Listbox<SmeClass | ''>
            label="ขนาดของกิจการ"
            value={watch('sme')}
            options={SME_OPTIONS as { value: SmeClass | ''; th: string }[]}
            onChange={(sme) => setValue('sme', sme, { shouldDirty: true })}
            className="h-9 w-full touch:h-11.5"
          />
          {errors.sme && <p className="mt-1 text-sm text-urgent">{errors.sme.message}</p>}
        </div>
      </div>
      <Button type="submit" disabled={!isDirty || !isValid} pending={isSubmitting}>
        บันทึกฐานะ
      </Button>
    </form>
  )
}
