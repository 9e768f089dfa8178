import { useState } from 'react'
import {
  type Certificate,
  CONTRACTOR_GRADES,
  type ContractorClass,
  gradeText,
  LONGEST_QUALIFICATION,
  MOST_CERTIFICATES,
  MOST_CLASSES,
  MOST_PAST_WORKS,
  type PastWork,
  type Qualifications,
  type QualificationsPatch,
  SME_CLASSES,
  type SmeClass,
} from '#contract/account/qualification.ts'
import { bangkokToday, formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { parseThaiDate } from '#contract/thai/thai-date-entry.ts'
import { formatBaht, parseThaiMoney } from '#contract/thai/thai-number.ts'
import { qualificationsQuery, saveQualifications } from '#src/api/account/qualifications.ts'
import { errorMessage, ProblemError } from '#src/api/http/problem-error.ts'
import { Button } from '#src/ui/button.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { type Draft, type ReadRow, type RowField, RowsForm } from './rows-form.tsx'
import { SettingsLoad } from './settings-load.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useUnsaved } from './unsaved-changes.tsx'

/** What the organisation brings to a tender; for super users. Requirements of documents are held against it. */
export function QualificationTab() {
  return (
    <SettingsLoad query={qualificationsQuery} failed="โหลดคุณสมบัติของบริษัทไม่สำเร็จ" waiting={['h-40', 'h-64']}>
      {(data) => <Parts data={data} />}
    </SettingsLoad>
  )
}

function Parts({ data }: { data: Qualifications }) {
  return (
    <>
      <SettingsSection
        title="ฐานะของบริษัท"
        description="เห็นเฉพาะคนในองค์กรของคุณ ระบบใช้เทียบกับข้อกำหนดในเอกสารของโครงการ แล้วบอกว่าได้ ไม่ได้ หรือต้องถาม"
      >
        <StandingForm key={JSON.stringify([data.capital, data.net_worth, data.sme])} data={data} />
      </SettingsSection>
      <SettingsSection
        title="ผลงาน"
        description="สัญญาละหนึ่งรายการ คำบอกประเภทคือคำที่ต้องพบในข้อกำหนดหรือชื่อโครงการ จึงจะนับว่าเป็นงานประเภทเดียวกัน"
      >
        <RowsForm
          key={JSON.stringify(data.past_works)}
          what="ผลงาน"
          rows={data.past_works.map(workDraft)}
          most={MOST_PAST_WORKS}
          fields={WORK_FIELDS}
          empty={{ name: '', kinds: '', agency: '', baht: '', year: '' }}
          read={readWork}
          onSave={(past_works) => save({ past_works })}
        />
      </SettingsSection>
      <SettingsSection
        title="ใบรับรองและใบอนุญาต"
        description="รวม ISO มอก. SME-GP และใบอนุญาต ระบบเทียบวันหมดอายุกับวันยื่นข้อเสนอของแต่ละโครงการ"
      >
        <RowsForm
          key={JSON.stringify(data.certificates)}
          what="ใบรับรอง"
          rows={data.certificates.map(certificateDraft)}
          most={MOST_CERTIFICATES}
          fields={CERTIFICATE_FIELDS}
          empty={{ name: '', number: '', expires_on: '' }}
          read={readCertificate}
          onSave={(certificates) => save({ certificates })}
        />
      </SettingsSection>
      <SettingsSection title="ชั้นผู้รับเหมา" description="สาขาและชั้นตามที่ขึ้นทะเบียนผู้ประกอบการงานก่อสร้างไว้กับกรมบัญชีกลาง">
        <RowsForm
          key={JSON.stringify(data.classes)}
          what="ชั้นผู้รับเหมา"
          rows={data.classes.map(({ branch, grade }) => ({ branch, grade: String(grade) }))}
          most={MOST_CLASSES}
          fields={CLASS_FIELDS}
          empty={{ branch: '', grade: '6' }}
          read={readClass}
          onSave={(classes) => save({ classes })}
        />
      </SettingsSection>
    </>
  )
}

/** Says in a toast what came of it; the reason of a refusal, undefined when it was saved. */
async function save(patch: QualificationsPatch): Promise<string | undefined> {
  try {
    await saveQualifications(patch)
    showToast({ text: 'บันทึกคุณสมบัติของบริษัทแล้ว', tone: 'done' })
    return undefined
  } catch (error) {
    const [field] = error instanceof ProblemError ? Object.values(error.fieldErrors).flat() : []
    return field ?? errorMessage(error)
  }
}

const SME_OPTIONS = [{ value: '', th: 'ยังไม่ระบุ' }, ...SME_CLASSES.map(({ code, th }) => ({ value: code, th }))]
const moneyText = (baht: number | null) => (baht === null ? '' : formatBaht(baht))
const NEGATIVE = /^\s*[-–]\s*/

/** Baht as typed, below nothing with a minus before it; null where nothing stands. */
function readMoney(text: string): { readonly baht: number | null } | { readonly problem: string } {
  if (text.trim() === '') return { baht: null }
  const entry = parseThaiMoney(text.replace(NEGATIVE, ''))
  return entry.ok ? { baht: NEGATIVE.test(text) ? -entry.baht : entry.baht } : { problem: entry.message }
}

function StandingForm({ data }: { data: Qualifications }) {
  const [capital, setCapital] = useState(moneyText(data.capital))
  const [worth, setWorth] = useState(moneyText(data.net_worth))
  const [sme, setSme] = useState<SmeClass | ''>(data.sme ?? '')
  const [refusal, setRefusal] = useState<string>()
  const [isPending, setPending] = useState(false)
  const isDirty = capital !== moneyText(data.capital) || worth !== moneyText(data.net_worth) || sme !== (data.sme ?? '')
  useUnsaved(isDirty)
  const [ofCapital, ofWorth] = [readMoney(capital), readMoney(worth)]
  const isWrong = 'problem' in ofCapital || 'problem' in ofWorth
  const submit = async () => {
    if (isWrong) return
    setPending(true)
    setRefusal(await save({ capital: ofCapital.baht, net_worth: ofWorth.baht, sme: sme === '' ? null : sme }))
    setPending(false)
  }
  return (
    <div className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField
          label="ทุนจดทะเบียน (บาท)"
          inputMode="decimal"
          autoComplete="off"
          placeholder="เช่น 5 ล้าน"
          value={capital}
          error={'problem' in ofCapital ? ofCapital.problem : undefined}
          onChange={({ currentTarget }) => setCapital(currentTarget.value)}
        />
        <TextField
          label="มูลค่าสุทธิของกิจการ (บาท)"
          autoComplete="off"
          placeholder="สินทรัพย์หักหนี้สินของงบล่าสุด"
          value={worth}
          error={'problem' in ofWorth ? ofWorth.problem : undefined}
          onChange={({ currentTarget }) => setWorth(currentTarget.value)}
        />
        <div>
          <span aria-hidden className="mb-1 block font-medium">
            ขนาดของกิจการ
          </span>
          <Listbox<SmeClass | ''>
            label="ขนาดของกิจการ"
            value={sme}
            options={SME_OPTIONS as { value: SmeClass | ''; th: string }[]}
            onChange={setSme}
            className="h-9 w-full touch:h-11.5"
          />
        </div>
      </div>
      {refusal && (
        <p role="alert" className="text-sm text-urgent">
          {refusal}
        </p>
      )}
      <Button disabled={!isDirty || isWrong} pending={isPending} onClick={() => void submit()}>
        บันทึกฐานะ
      </Button>
    </div>
  )
}

const wrong = (field: string, message: string) => ({ ok: false, field, message }) as const

/** The first text that is missing where it must stand, or too long. */
function wrongText(draft: Draft, names: readonly string[], needed: string, message: string) {
  if (draft[needed]!.trim() === '') return wrong(needed, message)
  const long = names.find((name) => draft[name]!.trim().length > LONGEST_QUALIFICATION)
  return long === undefined ? undefined : wrong(long, `ยาวได้ไม่เกิน ${LONGEST_QUALIFICATION} ตัวอักษร`)
}

const WORK_FIELDS: readonly RowField[] = [
  { name: 'name', label: 'งาน', placeholder: 'เช่น ติดตั้งกล้องวงจรปิด 64 จุด', className: 'min-w-0 flex-1 basis-64' },
  { name: 'kinds', label: 'คำบอกประเภท', placeholder: 'เช่น กล้องวงจรปิด, CCTV', className: 'min-w-0 flex-1 basis-52' },
  { name: 'agency', label: 'หน่วยงาน', className: 'min-w-0 flex-1 basis-52' },
  { name: 'baht', label: 'มูลค่า (บาท)', placeholder: 'เช่น 6.2 ล้าน', inputMode: 'decimal', className: 'w-40' },
  { name: 'year', label: 'ปีที่แล้วเสร็จ', placeholder: '2567', inputMode: 'numeric', className: 'w-28' },
]
const workDraft = ({ name, kinds, agency, baht, year }: PastWork): Draft => ({
  name,
  kinds,
  agency,
  baht: formatBaht(baht),
  year: String(year),
})
function readWork(draft: Draft): ReadRow<PastWork> {
  const bad = wrongText(draft, ['name', 'kinds', 'agency'], 'name', 'บอกว่าเป็นงานอะไร')
  if (bad) return bad
  const money = parseThaiMoney(draft.baht!)
  if (!money.ok || money.baht <= 0) return wrong('baht', money.ok ? 'จำนวนเงินต้องมากกว่า 0' : money.message)
  const year = Number(draft.year)
  if (!Number.isInteger(year) || year < 2500 || year > 2640) return wrong('year', 'ใส่ปี พ.ศ. เช่น 2567')
  const { name = '', kinds = '', agency = '' } = draft
  return { ok: true, row: { name: name.trim(), kinds: kinds.trim(), agency: agency.trim(), baht: money.baht, year } }
}

const CERTIFICATE_FIELDS: readonly RowField[] = [
  { name: 'name', label: 'ชื่อ', placeholder: 'เช่น ISO 9001:2015', className: 'min-w-0 flex-1 basis-64' },
  { name: 'number', label: 'เลขที่', className: 'min-w-0 flex-1 basis-40' },
  { name: 'expires_on', label: 'ใช้ได้ถึง', placeholder: 'เช่น 31 ธ.ค. 2570', className: 'w-44' },
]
const certificateDraft = ({ name, number, expires_on }: Certificate): Draft => ({
  name,
  number,
  expires_on: expires_on === null ? '' : formatThaiDateShort(expires_on),
})
function readCertificate(draft: Draft): ReadRow<Certificate> {
  const bad = wrongText(draft, ['name', 'number'], 'name', 'บอกชื่อใบรับรอง')
  if (bad) return bad
  const { name = '', number = '', expires_on = '' } = draft
  const day = expires_on.trim() === '' ? null : parseThaiDate(expires_on, bangkokToday(new Date()))
  if (day !== null && !day.ok) return wrong('expires_on', day.message)
  return { ok: true, row: { name: name.trim(), number: number.trim(), expires_on: day === null ? null : day.iso } }
}

const CLASS_FIELDS: readonly RowField[] = [
  { name: 'branch', label: 'สาขา', placeholder: 'เช่น งานก่อสร้างทาง', className: 'min-w-0 flex-1 basis-64' },
  {
    name: 'grade',
    label: 'ชั้น',
    className: 'w-32',
    options: CONTRACTOR_GRADES.map((grade) => ({ value: String(grade), th: gradeText(grade) })),
  },
]
function readClass(draft: Draft): ReadRow<ContractorClass> {
  const bad = wrongText(draft, ['branch'], 'branch', 'บอกสาขางาน')
  if (bad) return bad
  const grade = CONTRACTOR_GRADES.find((one) => String(one) === draft.grade)!
  return { ok: true, row: { branch: draft.branch!.trim(), grade } }
}
