import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ChevronRight,
  CircleCheck,
  CloudOff,
  DatabaseZap,
  FileWarning,
  FileX2,
  HardDrive,
  ListX,
  type LucideIcon,
  MailX,
  Tags,
  Unplug,
} from 'lucide-react'
import type { OperationOverview } from '#contract/operation/overview.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { operationOverviewQuery } from '#src/operation/api/overview.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { OperationMetricCharts } from './metric-charts.tsx'
import { OperatorPageFrame } from './operator-page-frame.tsx'

type NeedKey = Exclude<keyof OperationOverview, 'checked_at'>

/** Sorted by urgency: without data nothing else matters, while approving a keyword can wait. */
const NEEDS = [
  {
    count: 'failed_sources',
    name: 'แหล่งข้อมูล',
    part: 'sources',
    Icon: CloudOff,
    title: 'แหล่งข้อมูลที่คืนล่าสุดดึงไม่สำเร็จ',
    unit: 'แหล่ง',
    tone: 'text-urgent',
  },
  {
    count: 'failed_loads',
    name: 'การนำเข้า',
    part: 'loads',
    Icon: DatabaseZap,
    title: 'การนำเข้าที่ล้มเหลวใน 24 ชั่วโมง',
    unit: 'ครั้ง',
    tone: 'text-urgent',
  },
  {
    count: 'dead_jobs',
    name: 'งานเบื้องหลัง',
    part: 'jobs',
    Icon: ListX,
    title: 'งานเบื้องหลังที่ทำไม่สำเร็จ',
    unit: 'งาน',
    tone: 'text-urgent',
  },
  {
    count: 'missing_stores',
    name: 'ที่เก็บเอกสาร',
    part: 'documents',
    Icon: HardDrive,
    title: 'ที่เก็บเอกสารไม่ตอบ เปิดและเพิ่มเอกสารไม่ได้',
    unit: 'แห่ง',
    tone: 'text-urgent',
  },
  {
    count: 'failed_mails',
    name: 'อีเมล',
    part: 'jobs',
    Icon: MailX,
    title: 'อีเมลที่ส่งไม่สำเร็จ',
    unit: 'ฉบับ',
    tone: 'text-urgent',
  },
  {
    count: 'paused_webhooks',
    name: 'เว็บฮุก',
    part: 'organisations',
    Icon: Unplug,
    title: 'เว็บฮุกขององค์กรที่พักตัวเองใน 24 ชั่วโมง',
    unit: 'รายการ',
    tone: 'text-updated',
  },
  {
    count: 'waiting_keywords',
    name: 'คำติดตาม',
    part: 'keywords',
    Icon: Tags,
    title: 'คำติดตามที่รออนุมัติ',
    unit: 'คำ',
    tone: 'text-updated',
  },
  {
    count: 'undone_facts',
    name: 'ข้อเท็จจริงจากเอกสาร',
    part: 'documents',
    Icon: FileWarning,
    title: 'ข้อเท็จจริงจากเอกสารที่ระบบเลิกแสดงค่าเพราะอ่านไม่แน่ใจบ่อยขึ้น',
    unit: 'ชนิด',
    tone: 'text-updated',
  },
  {
    count: 'unreadable_rows',
    name: 'แถวข้อมูล',
    part: 'loads',
    Icon: FileX2,
    title: 'แถวที่อ่านไม่ได้ใน 24 ชั่วโมง',
    unit: 'แถว',
    tone: 'text-updated',
  },
] as const satisfies readonly {
  count: NeedKey
  name: string
  part: string
  Icon: LucideIcon
  title: string
  unit: string
  tone: string
}[]

export function OperatorOverviewPage() {
  const client = useQueryClient()
  const overview = useQuery(operationOverviewQuery)
  return (
    <OperatorPageFrame
      title="ภาพรวม"
      checkedAt={overview.data?.checked_at}
      query={{ ...overview, refetch: () => client.refetchQueries({ queryKey: ['operation'], type: 'active' }) }}
    >
      {(counts) => (
        <>
          <NeedList counts={counts} />
          <OperationMetricCharts />
        </>
      )}
    </OperatorPageFrame>
  )
}

function NeedList({ counts }: { counts: OperationOverview }) {
  const openNeeds = NEEDS.filter(({ count }) => counts[count] > 0)
  const calm = NEEDS.filter(({ count }) => counts[count] === 0)
  return (
    <>
      <Card as="section" aria-label="ต้องจัดการ">
        {openNeeds.length === 0 ? (
          <EmptyState icon={CircleCheck} title="ไม่มีอะไรต้องจัดการ">
            แหล่งข้อมูล งานเบื้องหลัง และอีเมลปกติทั้งหมด ไม่มีคำรออนุมัติ
          </EmptyState>
        ) : (
          <ul aria-label="ต้องจัดการ" className="divide-y divide-line">
            {openNeeds.map(({ count, part, Icon, title, unit, tone }) => (
              <li key={count}>
                <Link
                  to="/operation/$part"
                  params={{ part }}
                  className="flex items-center gap-3 px-4 py-4 hover:bg-surface-muted lg:px-5"
                >
                  <Icon aria-hidden className={`size-5 shrink-0 ${tone}`} />
                  <span className="min-w-0 flex-1 font-medium">{title}</span>
                  <span className={`font-semibold tabular-nums ${tone}`}>
                    {formatCount(counts[count])} {unit}
                  </span>
                  <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-faint" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {openNeeds.length > 0 && calm.length > 0 && (
        <p className="text-sm text-ink-muted">ปกติ: {calm.map(({ name }) => name).join(' · ')}</p>
      )}
    </>
  )
}
