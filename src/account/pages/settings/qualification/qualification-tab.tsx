import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import {
  BIDDER_KINDS,
  type BidderKind,
  type Qualifications,
  type QualificationsPatch,
  qualificationsSchema,
  SME_CLASSES,
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
import type { ListboxOption } from '#src/ui/form/listbox.tsx'
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
      {(data) => (
        <>
          <QuickQualifications data={data} />
          <SettingsSection
            title="ฐานะของบริษัท"
            description="เห็นเฉพาะคนในองค์กรของคุณ ระบบใช้เทียบกับข้อกำหนดในเอกสารของโครงการ แล้วบอกว่าได้ ไม่ได้ หรือต้องถาม"
          >
            <FinanceForm
              data={data}
              names={['tax_id', 'sme', 'has_mit', 'capital', 'bond_line']}
              submitText="บันทึกฐานะ"
            />
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
      )}
    </QueryView>
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

const LEADING_MINUS = /^\s*[-–]\s*/

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

type FinanceInput = {
  readonly label: string
  readonly placeholder?: string
  readonly options?: readonly ListboxOption<string>[]
  readonly schema: z.ZodMiniType<unknown, string>
  readonly format: (stored: never) => string
}

const money = (label: string, placeholder: string): FinanceInput => ({
  ...{ label, placeholder, schema: moneySchema },
  format: (baht: number) => formatBaht(baht),
})
const day = (label: string, placeholder: string): FinanceInput => ({
  ...{ label, placeholder, schema: thaiDateSchema },
  format: (iso: string) => formatThaiDateShort(iso),
})
const choice = (
  label: string,
  choices: readonly { readonly code: string; readonly th: string }[],
  parse: (code: string) => unknown = String,
): FinanceInput => ({
  label,
  options: [{ value: '', th: 'ยังไม่ระบุ' }, ...choices.map(({ code, th }) => ({ value: code, th }))],
  schema: z.pipe(
    z.string(),
    z.transform((code) => (code === '' ? null : parse(code))),
  ),
  format: String,
})
const YES_NO = [
  { code: 'true', th: 'มี' },
  { code: 'false', th: 'ไม่มี' },
]
const yesNo = (label: string) => choice(label, YES_NO, (code) => code === 'true')

const FINANCE_INPUTS = {
  tax_id: {
    label: 'เลขประจำตัวผู้เสียภาษีของบริษัท',
    placeholder: '13 หลัก ใช้เรียงงานและหาบรรทัดของเราในสมุดพก',
    schema: taxIdSchema,
    format: String,
  },
  bidder_kind: choice('ผู้ยื่นข้อเสนอเป็น', BIDDER_KINDS),
  sme: choice('ขนาดของกิจการ', SME_CLASSES),
  capital: money('ทุนจดทะเบียน (บาท)', 'เช่น 5 ล้าน'),
  paid_capital: money('ทุนที่เรียกชำระแล้ว (บาท)', 'เช่น 2 ล้าน'),
  net_worth: money('มูลค่าสุทธิของกิจการ (บาท)', 'สินทรัพย์หักหนี้สินของงบล่าสุด'),
  bond_line: money('วงเงินค้ำประกันที่เหลือ (บาท)', 'หนังสือค้ำประกันที่ธนาคารยังออกให้ได้'),
  credit_line: money('วงเงินสินเชื่อตามหนังสือธนาคาร (บาท)', 'บุคคลธรรมดาใช้ยอดเงินฝากได้'),
  credit_letter_on: day('วันที่ในหนังสือธนาคาร', 'เช่น 15 ต.ค. 2569'),
  has_mit: yesNo('ใบรับรอง Made in Thailand'),
  has_anti_corruption_policy: yesNo('นโยบายป้องกันการทุจริต'),
  suspended_until: day('ถูกพักสิทธิถึง', 'เว้นว่างถ้าไม่ถูกพักสิทธิ'),
  report_card_points: {
    label: 'แต้มในสมุดพกของเรา',
    placeholder: 'เว้นว่างถ้าไม่ทราบ',
    schema: typedReportCardPointsSchema,
    format: String,
  },
} satisfies Record<string, FinanceInput>
type FinanceField = keyof typeof FINANCE_INPUTS
const FINANCE_FIELDS = Object.entries<FinanceInput>(FINANCE_INPUTS) as [FinanceField, FinanceInput][]
const financeSchema = z.object(Object.fromEntries(FINANCE_FIELDS.map(([name, { schema }]) => [name, schema])))

/** Financial requirement by kind of bidder; a natural person has only the deposit. */
const FINANCIAL_FIELDS: Readonly<Record<BidderKind, FinanceField | undefined>> = {
  company: 'net_worth',
  new_company: 'paid_capital',
  person: undefined,
}

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
  const form = useSchemaForm<Record<string, string>, QualificationsPatch>(
    {
      schema: financeSchema as z.ZodMiniType<QualificationsPatch, Record<string, string>>,
      fields: names,
      mode: 'onChange',
      defaultValues: Object.fromEntries(
        FINANCE_FIELDS.map(([name, { format }]) => [name, data[name] == null ? '' : format(data[name] as never)]),
      ),
    },
    (values) => save(Object.fromEntries(names.map((name) => [name, values[name]]))),
  )
  const { isDirty, isValid } = form.formState
  const financialField = FINANCIAL_FIELDS[form.watch('bidder_kind') as BidderKind]
  const visibleNames = names.filter(
    (name) => (name !== 'net_worth' && name !== 'paid_capital') || name === financialField,
  )
  return (
    <SettingsForm form={form} className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-2">
        {visibleNames.map((name) => {
          const input: FinanceInput = FINANCE_INPUTS[name]
          const coverageText = coverage && formatCoverage(coverage, name)
          return (
            <div key={name}>
              {input.options ? (
                <>
                  <ListboxField label={input.label} options={input.options} {...form.choice(name)} />
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
