import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import {
  BIDDER_KINDS,
  type BidderKind,
  type Qualifications,
  type QualificationsPatch,
  qualificationsSchema,
  SME_CLASSES,
  type SmeClass,
} from '#contract/account/qualification.ts'
import { DECIDING_QUALIFICATIONS, type QualificationCoverage } from '#contract/account/qualification-coverage.ts'
import { typedReportCardPointsSchema } from '#contract/account/report-card.ts'
import { toPublicTaxId } from '#contract/catalogue/natural-person.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount, parseThaiMoney } from '#contract/thai/thai-number.ts'
import { qualificationCoverageQuery, qualificationsQuery, saveQualifications } from '#src/account/api/qualifications.ts'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { EditableRowsForm } from '#src/account/pages/settings/form/editable-rows-form.tsx'
import { SettingsForm } from '#src/account/pages/settings/form/settings-form.tsx'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { thaiDateSchema } from '#src/lib/thai-date-schema.ts'
import { Button } from '#src/ui/button.tsx'
import { ListboxField } from '#src/ui/form/listbox-field.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import {
  CERTIFICATES,
  CONTRACTOR_CLASSES,
  PAST_WORKS,
  type QualificationRows,
  STAFF_GROUPS,
} from './qualification-rows.ts'
import { ReportCardSection } from './report-card-section.tsx'

export function QualificationTab() {
  const qualifications = useQuery(qualificationsQuery)
  return (
    <QueryView query={qualifications} task="โหลดคุณสมบัติของบริษัท" barsClassName="space-y-3" bars={['h-40', 'h-64']}>
      {(data) => <QualificationSections data={data} />}
    </QueryView>
  )
}

function QualificationSections({ data }: { data: Qualifications }) {
  return (
    <>
      <QuickQualifications data={data} />
      <SettingsSection
        title="ฐานะของบริษัท"
        description="เห็นเฉพาะคนในองค์กรของคุณ ระบบใช้เทียบกับข้อกำหนดในเอกสารของโครงการ แล้วบอกว่าได้ ไม่ได้ หรือต้องถาม"
      >
        <FinanceForm data={data} names={['tax_id', 'sme', 'has_mit', 'capital', 'bond_line']} submitText="บันทึกฐานะ" />
      </SettingsSection>
      <RowsSection data={data} name="past_works" kind={PAST_WORKS} />
      <RowsSection data={data} name="certificates" kind={CERTIFICATES} />
      <RowsSection data={data} name="classes" kind={CONTRACTOR_CLASSES} />
      <SettingsSection
        title="สมุดพกผู้รับเหมา"
        description="แต้มและการพักสิทธิของเราและของบริษัทอื่น บันทึกเองหรือเพิ่มจากไฟล์ วันพักสิทธิของเราใช้ตัดสินว่ายื่นได้ไหม เพราะไม่มีข้อมูลเปิดให้ระบบดึงเอง"
      >
        <FinanceForm data={data} names={['report_card_points']} submitText="บันทึกสมุดพกของเรา" />
        <ReportCardSection />
      </SettingsSection>
      <RowsSection data={data} name="people" kind={STAFF_GROUPS} />
    </>
  )
}

type RowsName = 'past_works' | 'certificates' | 'classes' | 'people'
type RowsSectionProps<Name extends RowsName> = {
  data: Qualifications
  name: Name
  kind: QualificationRows<Qualifications[Name][number]>
}

function RowsSection<Name extends RowsName>({ data, name, kind }: RowsSectionProps<Name>) {
  const { title, description, toDraft, ...rows } = kind
  const stored: readonly Qualifications[Name][number][] = data[name]
  return (
    <SettingsSection title={title} description={description}>
      <EditableRowsForm
        key={JSON.stringify(stored)}
        rows={stored.map(toDraft)}
        onSave={(changed) => save({ [name]: changed })}
        {...rows}
      />
    </SettingsSection>
  )
}

async function save(patch: QualificationsPatch): Promise<void> {
  await saveQualifications(patch)
  showDoneToast('บันทึกคุณสมบัติของบริษัทแล้ว')
}

type Option<Value extends string> = { readonly value: Value | ''; readonly th: string }

const withUnset = <Value extends string>(choices: readonly { readonly code: Value; readonly th: string }[]) =>
  [
    { value: '', th: 'ยังไม่ระบุ' },
    ...choices.map(({ code, th }) => ({ value: code, th })),
  ] as const satisfies readonly Option<Value>[]
const SME_OPTIONS = withUnset<SmeClass>(SME_CLASSES)
const BIDDER_KIND_OPTIONS = withUnset<BidderKind>(BIDDER_KINDS)
const YES_NO_OPTIONS = withUnset<'yes' | 'no'>([
  { code: 'yes', th: 'มี' },
  { code: 'no', th: 'ไม่มี' },
])
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

const taxIdSchema = z.pipe(
  z.string(),
  z.transform((text, context) => {
    if (text.trim() === '') return null
    const result = qualificationsSchema.shape.tax_id.safeParse(toPublicTaxId(text) ?? text)
    if (result.success) return result.data
    context.issues.push({ code: 'custom', input: text, message: result.error.issues[0]!.message })
    return z.NEVER
  }),
)
const choiceSchema = <Value extends string>(choices: readonly Option<Value>[]) =>
  z.pipe(
    z.enum(choices.map(({ value }) => value) as [Value | '', ...(Value | '')[]]),
    z.transform((value) => (value === '' ? null : (value as Value))),
  )
const yesNoSchema = z.pipe(
  choiceSchema(YES_NO_OPTIONS),
  z.transform((value) => (value === null ? null : value === 'yes')),
)
const financeSchema = z.object({
  tax_id: taxIdSchema,
  bidder_kind: choiceSchema(BIDDER_KIND_OPTIONS),
  sme: choiceSchema(SME_OPTIONS),
  capital: moneySchema,
  paid_capital: moneySchema,
  net_worth: moneySchema,
  bond_line: moneySchema,
  credit_line: moneySchema,
  credit_letter_on: thaiDateSchema,
  has_mit: yesNoSchema,
  has_anti_corruption_policy: yesNoSchema,
  suspended_until: thaiDateSchema,
  report_card_points: typedReportCardPointsSchema,
})
type FinanceFields = z.input<typeof financeSchema>
type FinanceField = keyof FinanceFields

const TEXT_FIELDS = [
  { name: 'tax_id', label: 'เลขประจำตัวผู้เสียภาษีของบริษัท', placeholder: '13 หลัก ใช้เรียงงานและหาบรรทัดของเราในสมุดพก' },
  { name: 'capital', label: 'ทุนจดทะเบียน (บาท)', placeholder: 'เช่น 5 ล้าน' },
  { name: 'paid_capital', label: 'ทุนที่เรียกชำระแล้ว (บาท)', placeholder: 'เช่น 2 ล้าน' },
  { name: 'net_worth', label: 'มูลค่าสุทธิของกิจการ (บาท)', placeholder: 'สินทรัพย์หักหนี้สินของงบล่าสุด' },
  { name: 'bond_line', label: 'วงเงินค้ำประกันที่เหลือ (บาท)', placeholder: 'หนังสือค้ำประกันที่ธนาคารยังออกให้ได้' },
  { name: 'credit_line', label: 'วงเงินสินเชื่อตามหนังสือธนาคาร (บาท)', placeholder: 'บุคคลธรรมดาใช้ยอดเงินฝากได้' },
  { name: 'credit_letter_on', label: 'วันที่ในหนังสือธนาคาร', placeholder: 'เช่น 15 ต.ค. 2569' },
  { name: 'suspended_until', label: 'ถูกพักสิทธิถึง', placeholder: 'เว้นว่างถ้าไม่ถูกพักสิทธิ' },
  { name: 'report_card_points', label: 'แต้มในสมุดพกของเรา', placeholder: 'เว้นว่างถ้าไม่ทราบ' },
] as const

const CHOICE_FIELDS = [
  { name: 'bidder_kind', label: 'ผู้ยื่นข้อเสนอเป็น', options: BIDDER_KIND_OPTIONS },
  { name: 'sme', label: 'ขนาดของกิจการ', options: SME_OPTIONS },
  { name: 'has_mit', label: 'ใบรับรอง Made in Thailand', options: YES_NO_OPTIONS },
  { name: 'has_anti_corruption_policy', label: 'นโยบายป้องกันการทุจริต', options: YES_NO_OPTIONS },
] as const
type FinanceInput = (typeof TEXT_FIELDS)[number] | (typeof CHOICE_FIELDS)[number]
const INPUTS: ReadonlyMap<FinanceField, FinanceInput> = new Map(
  [...CHOICE_FIELDS, ...TEXT_FIELDS].map((input) => [input.name, input]),
)
/** Financial requirement by kind of bidder; a natural person has only the deposit. */
const FINANCIAL_FIELDS: Readonly<Record<BidderKind, FinanceField | undefined>> = {
  company: 'net_worth',
  new_company: 'paid_capital',
  person: undefined,
}

const dayText = (iso: string | null) => (iso === null ? '' : formatThaiDateShort(iso))
const yesNoText = (value: boolean | null) => (value === null ? '' : value ? 'yes' : 'no')

function formatCoverage({ open, answers }: QualificationCoverage, name: FinanceField): string | undefined {
  const answer = DECIDING_QUALIFICATIONS.find((field) => field === name)
  const { decided, waiting } = answer ? answers[answer] : { decided: 0, waiting: 0 }
  const total = formatCount(open)
  if (decided > 0) return `ตัดสินได้เพิ่ม ${formatCount(decided)} จาก ${total} งาน`
  return waiting > 0 ? `รอคำตอบข้อนี้ ${formatCount(waiting)} จาก ${total} งาน` : undefined
}

function QuickQualifications({ data }: { data: Qualifications }) {
  const { data: coverage } = useQuery(qualificationCoverageQuery)
  return (
    <SettingsSection
      title="หกข้อที่บอกว่ายื่นได้ไหม"
      description={
        coverage && coverage.open > 0
          ? `วันนี้มีงานเปิดรับข้อเสนอ ${formatCount(coverage.open)} งาน ตัดสินได้แล้ว ${formatCount(coverage.decided)} งาน`
          : 'ตอบครบในหนึ่งนาที แล้วรายงานจะบอกทุกงานว่าน่าจะยื่นได้ ติด หรือยังไม่รู้'
      }
    >
      <FinanceForm
        data={data}
        names={[
          'bidder_kind',
          'net_worth',
          'paid_capital',
          'credit_line',
          'credit_letter_on',
          'has_anti_corruption_policy',
          'suspended_until',
        ]}
        submitText="บันทึกคำตอบ"
        coverage={coverage}
      />
    </SettingsSection>
  )
}

type FinanceFormProps = {
  data: Qualifications
  names: readonly FinanceField[]
  submitText: string
  coverage?: QualificationCoverage | undefined
}

/** Edits some of the financial fields. A save remounts the form with the stored values. */
function FinanceForm(props: FinanceFormProps) {
  return <FinanceInputs key={JSON.stringify(props.names.map((name) => props.data[name]))} {...props} />
}

function FinanceInputs({ data, names, submitText, coverage }: FinanceFormProps) {
  const form = useSchemaForm<FinanceFields, z.output<typeof financeSchema>>(
    {
      schema: financeSchema,
      fields: names,
      mode: 'onChange',
      defaultValues: {
        tax_id: data.tax_id ?? '',
        bidder_kind: data.bidder_kind ?? '',
        sme: data.sme ?? '',
        capital: moneyText(data.capital),
        paid_capital: moneyText(data.paid_capital),
        net_worth: moneyText(data.net_worth),
        bond_line: moneyText(data.bond_line),
        credit_line: moneyText(data.credit_line),
        credit_letter_on: dayText(data.credit_letter_on),
        has_mit: yesNoText(data.has_mit),
        has_anti_corruption_policy: yesNoText(data.has_anti_corruption_policy),
        suspended_until: dayText(data.suspended_until),
        report_card_points: data.report_card_points?.toString() ?? '',
      },
    },
    (values) => save(Object.fromEntries(names.map((name) => [name, values[name]]))),
  )
  const { errors, isDirty, isValid } = form.formState
  const kind = form.watch('bidder_kind')
  const financialField = kind === '' ? undefined : FINANCIAL_FIELDS[kind]
  const visibleNames = names.filter(
    (name) => (name !== 'net_worth' && name !== 'paid_capital') || name === financialField,
  )
  return (
    <SettingsForm form={form} className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {visibleNames.map((name) => {
          const input = INPUTS.get(name)!
          const coverageText = coverage && formatCoverage(coverage, name)
          return (
            <div key={name}>
              {'options' in input ? (
                <>
                  <ListboxField<string>
                    label={input.label}
                    value={form.watch(name)}
                    options={[...input.options]}
                    onChange={(value) =>
                      form.setValue(name, value as FinanceFields[typeof name], { shouldDirty: true })
                    }
                  />
                  {errors[name] && <p className="mt-1 text-sm text-urgent">{errors[name].message}</p>}
                  {coverageText && <p className="mt-1 text-xs text-ink-faint">{coverageText}</p>}
                </>
              ) : (
                <TextField
                  label={input.label}
                  autoComplete="off"
                  placeholder={input.placeholder}
                  hint={coverageText}
                  {...form.field(name)}
                />
              )}
            </div>
          )
        })}
      </div>
      <Button type="submit" disabled={!isDirty || !isValid} pending={form.isSubmitting}>
        {submitText}
      </Button>
    </SettingsForm>
  )
}
