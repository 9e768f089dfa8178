import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink, MailSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import { DEADLINE_WARNING_LEAD_DAYS } from '#contract/account/notification.ts'
import {
  BELL_ONLY_UPDATE_KINDS,
  FOLLOW_KINDS,
  type Follow,
  type Follows,
  NOTIFIABLE_UPDATE_KINDS,
  type NotifiableUpdateKind,
} from '#contract/report/follow.ts'
import { getReportMailTime } from '#contract/report/report-mail.ts'
import { addDays, formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { savedQuestionsQuery } from '#src/market/api/questions.ts'
import { SavedQuestionSwitches } from '#src/market/saved-questions/saved-question-switches.tsx'
import { followsQuery, updateFollows } from '#src/report/api/follows.ts'
import { reportMailPreviewQuery } from '#src/report/api/mail-links.ts'
import { patchUser } from '#src/report/api/user-patches.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { UNDERLINED_LINK_CLASSES } from '#src/ui/text-link-classes.ts'
import { LineConnectionSection } from './line-connection-section.tsx'
import { PushSection } from './push-section.tsx'

function MailPreview() {
  const { data, error, isFetching, refetch } = useQuery({ ...reportMailPreviewQuery, enabled: false })
  return (
    <div className="mt-4 space-y-3">
      <Button
        icon={MailSearch}
        pending={isFetching}
        onClick={() => void refetch()}
        aria-describedby="mail-preview-note"
      >
        {data ? 'ดูตัวอย่างใหม่' : 'ดูตัวอย่างอีเมลของวันนี้'}
      </Button>
      <p id="mail-preview-note" className="text-sm text-ink-muted">
        ดูอย่างเดียว ไม่มีการส่งอีเมล
      </p>
      {error && !isFetching && <ErrorNotice title="ทำตัวอย่างอีเมลไม่สำเร็จ" error={error} onRetry={() => void refetch()} />}
      <div role="status">
        {data && data.address === null && (
          <p className="rounded-control bg-surface-muted px-3 py-2">ตอนนี้ไม่มีอะไรต้องบอก ถ้านำเข้าข้อมูลตอนนี้จะไม่มีอีเมลส่งถึงคุณ</p>
        )}
        {data?.subject && (
          <p className="wrap-anywhere">
            <span className="text-ink-muted">หัวเรื่อง</span> <span className="font-medium">{data.subject}</span>
          </p>
        )}
      </div>
      {data?.address && (
        <>
          <iframe
            key={data.address}
            src={data.address}
            title="ตัวอย่างอีเมลรายงาน"
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            className="h-[34rem] w-full rounded-control border border-line bg-surface"
          />
          <a href={data.address} target="_blank" rel="noreferrer" className={getButtonClasses('link')}>
            <ExternalLink aria-hidden className="size-4" />
            เปิดตัวอย่างในแท็บใหม่
          </a>
        </>
      )}
    </div>
  )
}

/** Days until the deadline of the example project, far enough that its warning is still in the future. */
const EXAMPLE_DAYS = 10

export function NotificationsTab() {
  const user = useUser()
  const {
    customer_config: config,
    is_access_budget_year_only: isBudgetOnly,
    is_company_compare: hasCompanies,
  } = useOrganisation()
  const { project_save_filter_profile: filters } = user
  const today = useBangkokToday()
  const mailed = filters.filter(({ isSend }) => isSend).length
  return (
    <>
      <SettingsSection title="อีเมล">
        <UserSwitch field="is_send_report_email" label="รับอีเมลรายงาน" subject="อีเมลรายงาน">
          ส่งทุกเช้า {getReportMailTime(config)} น. เมื่อมีงานใหม่ ข้อมูลที่เข้ามาหลังจากนั้นส่งเมื่อเข้ามา สรุปโครงการใหม่ โครงการที่ปิดรับใน 7
          วัน โครงการที่ข้อมูลเปลี่ยน และผลการพิจารณา ทุกวันจันทร์บอกภาพรวมของสัปดาห์
        </UserSwitch>
        {!isBudgetOnly && (
          <p className="mt-2 text-sm text-ink-muted">
            {mailed === 0
              ? 'ยังไม่ได้เลือกตัวกรองที่ส่งทางอีเมล อีเมลจึงสรุปทั้งรายงาน '
              : `ส่งเฉพาะโครงการที่ตรงกับตัวกรองที่เลือก ${formatCount(mailed)} จาก ${formatCount(filters.length)} `}
            {filters.length > 0 && (
              <Link to="/report" hash="saved-filters" className={UNDERLINED_LINK_CLASSES}>
                เลือกตัวกรอง
              </Link>
            )}
            {mailed > 0 && !user.is_send_report_email && (
              <span className="block text-updated">ปิดอีเมลรายงานไว้ ตัวกรองเหล่านี้จึงยังไม่ส่ง</span>
            )}
          </p>
        )}
        {!isBudgetOnly && <MailPreview />}
        {!isBudgetOnly && user.role === 'super_user' && (
          <div className="mt-4">
            <UserSwitch field="is_send_coverage_email" label="รับอีเมลความครบถ้วนของประกาศ" subject="อีเมลความครบถ้วน">
              ส่งวันที่ 3 ของทุกเดือน เวลา 08:30 น. ว่าเดือนก่อนมีประกาศครบแค่ไหนและทันเช้าแค่ไหน เฉพาะผู้ดูแลขององค์กร
            </UserSwitch>
          </div>
        )}
      </SettingsSection>
      <SettingsSection title="การแจ้งเตือนในระบบ" description="แสดงที่กระดิ่งมุมขวาบนทันทีที่นำเข้าข้อมูลรอบใหม่">
        <UserSwitch
          field="is_noti_e_bidding"
          label="เตือนโครงการ e-bidding ทุกโครงการในรายงาน"
          subject="การเตือน e-bidding "
        >
          เตือนเมื่อเหลือ 7 วันก่อนสิ้นสุดวิจารณ์ร่างหรือก่อนวันยื่นข้อเสนอ โครงการที่เพิ่งพบโดยเหลือน้อยกว่านั้นเตือนทันที
          ถ้าปิดไว้จะเตือนเฉพาะโครงการที่ติดดาว
        </UserSwitch>
        <WarningTable isOn={user.is_noti_e_bidding} />
        <p className="mt-3 rounded-control bg-surface-muted px-3 py-2 text-sm text-ink-muted">
          <span className="font-medium text-ink">ตัวอย่าง</span> โครงการ e-bidding ที่ยังไม่ติดดาว วันยื่นข้อเสนอ{' '}
          {formatThaiDateShort(addDays(today, EXAMPLE_DAYS))}{' '}
          {user.is_noti_e_bidding
            ? `ตอนนี้คุณจะได้รับการเตือนวันที่ ${formatThaiDateShort(addDays(today, EXAMPLE_DAYS - DEADLINE_WARNING_LEAD_DAYS))}`
            : 'ตอนนี้คุณจะไม่ได้รับการเตือน จนกว่าจะติดดาวหรือเปิดสวิตช์นี้'}
        </p>
      </SettingsSection>
      {!isBudgetOnly && <LineConnectionSection />}
      {!isBudgetOnly && <PushSection />}
      {!isBudgetOnly && <FollowsSection />}
      {!isBudgetOnly && hasCompanies && <SavedQuestionsSection />}
    </>
  )
}

type UserSwitchProps = {
  field: 'is_send_report_email' | 'is_send_coverage_email' | 'is_noti_e_bidding'
  label: string
  subject: string
  children: ReactNode
}

function UserSwitch({ field, label, subject, children }: UserSwitchProps) {
  const { [field]: isOn = true } = useUser()
  const setOn = (on: boolean) => void patchUser({ [field]: on }, { failed: `${on ? 'เปิด' : 'ปิด'}${subject}ไม่สำเร็จ` })
  return (
    <Switch label={label} checked={isOn} onChange={setOn}>
      {children}
    </Switch>
  )
}

const WARNING_ROWS = [
  { what: 'โครงการที่ติดดาว', off: true, on: true },
  { what: 'โครงการ e-bidding อื่นในรายงาน', off: false, on: true },
  { what: 'โครงการวิธีอื่นที่ไม่ติดดาว', off: false, on: false },
] as const

/** Shows which projects get warnings when the switch is off and on (D16); updates are unaffected. */
function WarningTable({ isOn }: { isOn: boolean }) {
  const column = (head: string, state: 'on' | 'off') => {
    const isPresent = isOn === (state === 'on')
    return {
      head,
      headContent: (
        <>
          {head}
          {isPresent && <span className="sr-only"> (ใช้อยู่)</span>}
        </>
      ),
      className: classNames('w-20', isPresent ? 'bg-accent-soft text-accent-ink' : 'text-ink-muted'),
      cell: (row: (typeof WARNING_ROWS)[number]) => (row[state] ? 'เตือน' : 'ไม่เตือน'),
    }
  }
  return (
    <>
      <DataTable
        caption="โครงการที่เตือนล่วงหน้า 7 วัน"
        className="mt-3 max-w-xl"
        rows={WARNING_ROWS}
        getKey={({ what }) => what}
        columns={[{ head: 'เตือนล่วงหน้า 7 วัน', cell: ({ what }) => what }, column('ปิด', 'off'), column('เปิด', 'on')]}
      />
      <p className="mt-2 text-sm text-ink-muted">
        เมื่อข้อมูลโครงการเปลี่ยน จะแจ้งเฉพาะโครงการที่ติดดาวหรือติดป้ายกำกับ ไม่ขึ้นกับสวิตช์นี้ โครงการที่คุณซ่อนไว้ไม่แจ้งเลย
        และโครงการที่ยกเลิกหรือทำสัญญาแล้วไม่เตือนวันสิ้นสุด
      </p>
    </>
  )
}

function SavedQuestionsSection() {
  const savedQuestions = useQuery(useOptimisticQueryOptions(savedQuestionsQuery))
  return (
    <SettingsSection
      title="คำถามที่บันทึก"
      description="คำถามจากมุมมองใครชนะ แจ้งเมื่อมีผู้ชนะรายใหม่หรือสามอันดับแรกเปลี่ยน และส่งคำตอบทุกวันที่ 1 ของเดือนตามที่เลือกไว้"
    >
      <QueryView query={savedQuestions} task="โหลดคำถามที่บันทึก" bars={['h-24']}>
        {(settings) => (
          <>
            <SavedQuestionSwitches settings={settings} />
            <p className="mt-2 text-sm text-ink-muted">
              {settings.questions.length === 0
                ? 'ยังไม่มีคำถามที่บันทึก '
                : `บันทึกไว้ ${formatCount(settings.questions.length)} คำถาม `}
              <Link to="/report" search={{ view: 'who_wins' }} className={UNDERLINED_LINK_CLASSES}>
                เปิดใครชนะ
              </Link>
            </p>
          </>
        )}
      </QueryView>
    </SettingsSection>
  )
}

export function FollowsSection() {
  const followedItems = useQuery(useOptimisticQueryOptions(followsQuery))
  return (
    <SettingsSection
      title="เรื่องที่รับแจ้ง"
      description="แจ้งเมื่อหน่วยงานประกาศโครงการใหม่ บริษัทชนะโครงการ มีงานที่เกี่ยวข้องกับโครงการ สัญญาใกล้หมด หรือคำใกล้เคียงที่น่าเพิ่มหรือเลิกใช้ เฉพาะโครงการในรายงานขององค์กร อีเมลส่งตอน 08:30 น. วันละฉบับ"
    >
      <QueryView query={followedItems} task="โหลดเรื่องที่รับแจ้ง" bars={['h-32']}>
        {(follows) => (
          <>
            <KindTable follows={follows} />
            <FollowList follows={follows.follows} />
          </>
        )}
      </QueryView>
    </SettingsSection>
  )
}

function KindTable({ follows }: { follows: Follows }) {
  const toggle = (channel: 'bell' | 'mail', kind: NotifiableUpdateKind, on: boolean) => {
    const kinds = follows[channel].filter((candidate) => candidate !== kind)
    void updateFollows({ [channel]: on ? [...kinds, kind] : kinds }, 'เปลี่ยนการแจ้งไม่สำเร็จ')
  }
  return (
    <ul aria-label="ช่องทางแจ้ง" className="divide-y divide-line">
      {NOTIFIABLE_UPDATE_KINDS.map(({ code, th, news }) => (
        <li key={code} className="flex flex-wrap items-center gap-x-5 gap-y-1 py-2">
          <p className="min-w-0 flex-1 basis-56">
            {th} <span className="text-sm text-ink-muted">{news}</span>
          </p>
          <div className="flex gap-x-5">
            <Checkbox checked={follows.bell.includes(code)} onChange={(on) => toggle('bell', code, on)}>
              กระดิ่ง<span className="sr-only"> {th}</span>
            </Checkbox>
            {BELL_ONLY_UPDATE_KINDS.includes(code) ? (
              <span aria-hidden className="invisible">
                <Checkbox checked={false} disabled onChange={() => {}}>
                  อีเมล
                </Checkbox>
              </span>
            ) : (
              <Checkbox checked={follows.mail.includes(code)} onChange={(on) => toggle('mail', code, on)}>
                อีเมล<span className="sr-only"> {th}</span>
              </Checkbox>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function FollowList({ follows }: { follows: readonly Follow[] }) {
  if (follows.length === 0)
    return (
      <p className="mt-3 rounded-control bg-surface-muted px-3 py-2 text-sm text-ink-muted">
        ยังไม่ได้รับแจ้งเรื่องใด กด รับแจ้ง ในหน้าโครงการ หน่วยงาน หรือบริษัท
      </p>
    )
  return (
    <ul aria-label="เรื่องที่รับแจ้ง" className="mt-3 divide-y divide-line border-t border-line">
      {follows.map(({ kind, key, name }) => (
        <li key={`${kind} ${key}`} className="flex items-center gap-3 py-2">
          <p className="min-w-0 flex-1 wrap-anywhere">
            {kind === 'project' ? (
              <a href={getProjectHref(key)} className="hover:underline">
                {name}
              </a>
            ) : (
              name
            )}{' '}
            <Badge>{FOLLOW_KINDS.find(({ code }) => code === kind)?.th}</Badge>
          </p>
          <Button
            size="sm"
            variant="quiet"
            of={name}
            onClick={() => void updateFollows({ remove: { kind, key } }, 'เลิกรับแจ้งไม่สำเร็จ')}
          >
            เลิกรับแจ้ง
          </Button>
        </li>
      ))}
    </ul>
  )
}
