import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheck, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  OPERATOR_JOB_NAMES,
  type OperatorJobRow,
  type OperatorJobs,
  type UndeliveredEmail,
} from '#contract/operation/jobs.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { operatorJobsQuery, resendFailedMail, restartBackgroundJob } from '#src/operation/api/jobs.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatTimeSpan } from './data-source-condition.ts'
import { OperatorPageFrame } from './operator-page-frame.tsx'

const MAIL_NAMES: Readonly<Record<string, string>> = {
  register_otp: 'รหัสยืนยันการสมัคร',
  password_reset: 'ลิงก์ตั้งรหัสผ่านใหม่',
  password_changed: 'แจ้งเปลี่ยนรหัสผ่าน',
  report: 'อีเมลรายงาน',
  follow: 'อีเมลเรื่องที่รับแจ้ง',
  coverage: 'อีเมลความครบถ้วนของประกาศ',
  question: 'อีเมลคำถามที่บันทึก',
  invitation: 'คำเชิญเข้าทีม',
  join_request: 'คำขอเข้าทีม',
  email_change: 'ยืนยันการเปลี่ยนอีเมล',
  new_device: 'แจ้งอุปกรณ์ใหม่',
  webhook_paused: 'แจ้งหยุดเว็บฮุก',
  intake_failed: 'แจ้งดึงข้อมูลไม่สำเร็จ',
  intake_halted: 'แจ้งต้นทางปฏิเสธ',
}
const jobName = (kind: string) => OPERATOR_JOB_NAMES[kind] ?? kind
const mailName = (kind: string) => MAIL_NAMES[kind] ?? kind

export function OperatorJobsPage() {
  const jobs = useQuery(useOptimisticQueryOptions(operatorJobsQuery))
  return (
    <OperatorPageFrame title="งานและอีเมล" query={jobs} aside={JobCounts} checkedAt={jobs.data?.checked_at}>
      {(data) =>
        data.jobs.length + data.mails.length === 0 ? (
          <EmptyState icon={CircleCheck} title="ไม่มีงานค้าง">
            งานเบื้องหลังเสร็จครบ และอีเมลทุกฉบับส่งออกแล้ว
          </EmptyState>
        ) : (
          <JobLists {...data} />
        )
      }
    </OperatorPageFrame>
  )
}

const deadIn = ({ jobs }: OperatorJobs) => jobs.filter(({ state }) => state === 'dead')
const failedIn = ({ mails }: OperatorJobs) => mails.filter(({ state }) => state === 'failed')

function JobCounts(data: OperatorJobs) {
  const dead = deadIn(data).length + failedIn(data).length
  const openCount = data.jobs.filter(({ state }) => state !== 'dead').length
  return (
    <>
      {dead > 0 && <Badge tone="urgent">ไม่สำเร็จ {formatCount(dead)}</Badge>}
      {openCount > 0 && <Badge>รอหรือกำลังทำ {formatCount(openCount)}</Badge>}
    </>
  )
}

function JobLists(data: OperatorJobs) {
  const nowMs = Date.parse(data.checked_at)
  const dead = deadIn(data)
  const openJobs = data.jobs.filter(({ state }) => state !== 'dead')
  return (
    <>
      <Section title="งานที่ทำไม่สำเร็จ" none="ไม่มีงานที่ล้มเหลว" count={dead.length}>
        {dead.map((job) => (
          <Line
            key={job.id}
            name={jobName(job.kind)}
            line={job}
            when={`เลิกทำเมื่อ ${formatThaiDateTime(job.at)}`}
            badge={['ไม่สำเร็จ', 'urgent']}
          >
            {job.can_restart ? (
              <RetryButton change={restartBackgroundJob} id={job.id} of={`${jobName(job.kind)} งานที่ ${job.id}`}>
                เริ่มใหม่
              </RetryButton>
            ) : (
              <span className="text-xs text-ink-muted">ปิดเรื่องแล้ว เริ่มใหม่จากตรงนี้ไม่ได้</span>
            )}
          </Line>
        ))}
      </Section>
      <Section title="อีเมลที่ยังไม่ได้ส่ง" none="ส่งครบทุกฉบับ" count={data.mails.length}>
        {data.mails.map((mail) => (
          <Line
            key={mail.id}
            name={mailName(mail.kind)}
            line={mail}
            when={`เขียนเมื่อ ${formatThaiDateTime(mail.created_at)}`}
            badge={MAIL_STATES[mail.state]}
          >
            {mail.can_resend ? (
              <RetryButton change={resendFailedMail} id={mail.id} of={`${mailName(mail.kind)} ฉบับที่ ${mail.id}`}>
                ส่งอีกครั้ง
              </RetryButton>
            ) : (
              mail.state === 'failed' && <span className="text-xs text-ink-muted">ลบข้อความแล้ว ส่งอีกไม่ได้</span>
            )}
          </Line>
        ))}
      </Section>
      <Section title="งานที่รอหรือกำลังทำ" none="ไม่มีงานรอ" count={openJobs.length}>
        {openJobs.map((job) => (
          <Line
            key={job.id}
            name={jobName(job.kind)}
            line={job}
            when={dueText(job, nowMs)}
            badge={job.state === 'running' ? ['กำลังทำ', 'accent'] : ['รอ', 'neutral']}
          />
        ))}
      </Section>
    </>
  )
}

const MAIL_STATES: Readonly<Record<UndeliveredEmail['state'], [string, BadgeTone]>> = {
  failed: ['ส่งไม่สำเร็จ', 'urgent'],
  expired: ['หมดอายุก่อนส่ง', 'neutral'],
  queued: ['รอส่ง', 'neutral'],
}

function dueText({ state, at }: OperatorJobRow, nowMs: number): string {
  if (state === 'running') return 'มีผู้ทำอยู่'
  const wait = Date.parse(at) - nowMs
  return wait > 0 ? `เริ่มในอีก ${formatTimeSpan(wait)}` : `ถึงเวลาแล้ว ${formatTimeSpan(-wait)}`
}

type SectionProps = { title: string; none: string; count: number; children: ReactNode }

function Section({ title, none, count, children }: SectionProps) {
  return (
    <Card as="section" aria-label={title}>
      <h2 className="px-4 pt-3 font-semibold lg:px-5">
        {title} <span className="font-normal text-ink-muted tabular-nums">{count > 0 && formatCount(count)}</span>
      </h2>
      {count === 0 ? (
        <p className="px-4 pt-1 pb-4 text-sm text-ink-muted lg:px-5">{none}</p>
      ) : (
        <ul aria-label={title} className="divide-y divide-line">
          {children}
        </ul>
      )}
    </Card>
  )
}

type RetryButtonProps = { change: typeof restartBackgroundJob; id: number; of: string; children: string }

function RetryButton({ change, id, of, children }: RetryButtonProps) {
  const { mutate, isPending } = useMutation(change)
  return (
    <Button size="sm" icon={RotateCw} pending={isPending} onClick={() => mutate({ id })} of={of}>
      {children}
    </Button>
  )
}

type LineProps = {
  name: string
  line: Pick<OperatorJobRow, 'id' | 'organisation' | 'attempts' | 'failure'>
  when: string
  badge: readonly [string, BadgeTone]
  children?: ReactNode
}

function Line({ name, line: { id, organisation, attempts, failure }, when, badge, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 px-4 py-3 lg:px-5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          <Badge tone={badge[1]}>{badge[0]}</Badge>
        </p>
        <p className="text-sm text-ink-muted tabular-nums wrap-anywhere">
          {joinParts(
            `เลขที่ ${id}`,
            organisation ?? 'ของระบบ',
            when,
            attempts > 0 && `ลองแล้ว ${formatCount(attempts)} ครั้ง`,
          )}
        </p>
        {failure !== null && <p className="text-sm text-urgent wrap-anywhere">{failure}</p>}
      </div>
      {children}
    </li>
  )
}
