import { useQueryClient } from '@tanstack/react-query'
import { Copy, Download, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { RECOVERY_CODE_COUNT, type SecondFactorState, type TotpEnrolment } from '#contract/account/second-factor.ts'
import { isServedFromDomainName } from '#src/account/api/is-domain-name-host.ts'
import { regenerateRecoveryCodes, removeTotp, startTotpEnrolment } from '#src/account/api/second-factor.ts'
import { useUser } from '#src/account/api/users.ts'
import { ActionButton, ConfirmedAction } from '#src/account/form-refusal/action-button.tsx'
import { userKeys } from '#src/api/http/keys.ts'
import { saveBlobAsFile } from '#src/api/http/save-blob-as-file.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { PasskeyList } from './passkey-list.tsx'
import { TotpSetup } from './totp-setup.tsx'

type Codes = readonly string[] | null

export function SecondFactorPanel({ factor }: { factor: SecondFactorState }) {
  const { totp, passkeys, offers_passkeys, recovery_left } = factor
  const client = useQueryClient()
  const isDue = useUser().second_factor_due === true
  const [codes, setCodes] = useState<Codes>(null)
  const hasFactor = totp !== null || passkeys.length > 0
  // Leads on to the product once a due factor is set up and its recovery codes, if any, are stored.
  const handleCodes = (newCodes: Codes) => {
    setCodes(newCodes)
    if (newCodes === null && isDue) void client.invalidateQueries({ queryKey: userKeys.me })
  }
  return (
    <div className="space-y-6">
      {codes !== null && <RecoveryCodes codes={codes} onDone={() => handleCodes(null)} />}
      {offers_passkeys && isServedFromDomainName() && (
        <FactorSection
          title="พาสคีย์"
          isOn={passkeys.length > 0}
          about="เข้าสู่ระบบด้วยลายนิ้วมือ ใบหน้า หรือรหัสปลดล็อกเครื่อง ไม่ต้องใช้รหัสผ่าน และไม่มีใครหลอกเอาไปได้"
        >
          <PasskeyList passkeys={passkeys} onCodes={handleCodes} />
        </FactorSection>
      )}
      <FactorSection
        title="แอปยืนยันตัวตน"
        isOn={totp !== null}
        about={totp === null ? 'กรอกรหัส 6 หลักจากแอปในโทรศัพท์หลังรหัสผ่าน' : `ใช้ตั้งแต่ ${formatThaiDateTime(totp.since)}`}
      >
        <TotpSection isOn={totp !== null} onCodes={handleCodes} />
      </FactorSection>
      {hasFactor && (
        <FactorSection
          title="รหัสกู้คืน"
          about={`เหลือ ${recovery_left} จาก ${RECOVERY_CODE_COUNT} รหัส ใช้เมื่อไม่มีโทรศัพท์หรือพาสคีย์`}
          warning={recovery_left < 3 ? 'เหลือน้อยแล้ว สร้างชุดใหม่แล้วเก็บไว้' : undefined}
        >
          <ConfirmedAction
            label="สร้างรหัสกู้คืนใหม่"
            question="รหัสชุดเดิมจะใช้ไม่ได้ทันที"
            no="ไม่สร้าง"
            yes="สร้างใหม่"
            className={CONFIRMATION_CLASSES}
            run={async () => setCodes(await regenerateRecoveryCodes())}
            failed="สร้างรหัสกู้คืนไม่สำเร็จ"
          >
            {(ask) => (
              <Button className="mt-2" onClick={ask}>
                สร้างรหัสกู้คืนใหม่
              </Button>
            )}
          </ConfirmedAction>
        </FactorSection>
      )}
    </div>
  )
}

type FactorSectionProps = {
  title: string
  about: string
  isOn?: boolean
  warning?: string | undefined
  children: ReactNode
}

function FactorSection({ title, about, isOn, warning, children }: FactorSectionProps) {
  return (
    <section aria-label={title}>
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        {title}
        {isOn && <Badge tone="accent">ใช้อยู่</Badge>}
      </h3>
      <p className="text-sm text-ink-muted">{about}</p>
      {warning && <p className="text-sm text-updated">{warning}</p>}
      {children}
    </section>
  )
}

function TotpSection({ isOn, onCodes }: { isOn: boolean; onCodes: (codes: Codes) => void }) {
  const [enrolment, setEnrolment] = useState<TotpEnrolment>()
  if (enrolment)
    return (
      <div className="mt-3">
        <TotpSetup
          enrolment={enrolment}
          onDone={(codes) => {
            setEnrolment(undefined)
            showDoneToast('เปิดใช้แอปยืนยันตัวตนแล้ว')
            onCodes(codes)
          }}
          onCancel={() => setEnrolment(undefined)}
        />
      </div>
    )
  if (!isOn)
    return (
      <ActionButton className="mt-2" run={async () => setEnrolment(await startTotpEnrolment())} failed="เริ่มตั้งค่าไม่สำเร็จ">
        ตั้งค่าแอป
      </ActionButton>
    )
  return (
    <ConfirmedAction
      label="เอาแอปยืนยันตัวตนออก"
      question="เข้าสู่ระบบครั้งต่อไปจะไม่ถามรหัสจากแอป"
      no="ใช้ต่อ"
      yes="เอาออก"
      className={CONFIRMATION_CLASSES}
      run={removeTotp}
      failed="เอาออกไม่สำเร็จ"
      done="เอาแอปยืนยันตัวตนออกแล้ว"
    >
      {(ask) => (
        <Button className="mt-2" onClick={ask}>
          เอาแอปออก
        </Button>
      )}
    </ConfirmedAction>
  )
}

const CONFIRMATION_CLASSES = 'mt-2 rounded-control border border-urgent-line bg-urgent-soft px-3 py-2'

const INTRO = 'รหัสกู้คืนของตามงาน แต่ละรหัสใช้แทนการยืนยันสองขั้นได้ครั้งเดียว เก็บไว้ในที่ปลอดภัย'

function saveCodes(codes: readonly string[]) {
  const text = `${INTRO}\r\n\r\n${codes.join('\r\n')}\r\n`
  saveBlobAsFile(new Blob([text], { type: 'text/plain' }), 'tamngan-recovery-codes.txt')
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const copy = () => void copyWithToast(codes.join('\n'), 'คัดลอกรหัสกู้คืนแล้ว', 'คัดลอกไม่ได้ ดาวน์โหลดหรือพิมพ์แทน')
  return (
    <section
      aria-label="รหัสกู้คืน"
      className="print-alone space-y-3 rounded-card border border-accent-line bg-accent-soft p-4"
    >
      <div role="status">
        <p className="hidden print:block">{INTRO}</p>
        <p className="font-medium print:hidden">เก็บรหัสกู้คืนไว้ตอนนี้ จะไม่แสดงอีก</p>
        <p className="text-sm">ถ้าโทรศัพท์หายหรือใช้พาสคีย์ไม่ได้ ใช้รหัสหนึ่งในนี้เข้าสู่ระบบ แต่ละรหัสใช้ได้ครั้งเดียว</p>
      </div>
      <ul className="grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button size="sm" icon={Download} onClick={() => saveCodes(codes)}>
          ดาวน์โหลด
        </Button>
        <Button size="sm" icon={Printer} onClick={() => window.print()}>
          พิมพ์
        </Button>
        <Button size="sm" icon={Copy} onClick={copy}>
          คัดลอก
        </Button>
        <Button size="sm" variant="primary" onClick={onDone}>
          เก็บไว้แล้ว
        </Button>
      </div>
    </section>
  )
}
