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
  MailX,
  Tags,
  Unplug,
} from 'lucide-react'
import type { OperationOverview } from '#contract/operation/overview.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { operationOverviewQuery } from '#src/operation/api/overview.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { OperationMetricCharts } from './metric-charts.tsx'
import { OperatorPageFrame } from './operator-page-frame.tsx'

type NeedKey = Exclude<keyof OperationOverview, 'checked_at'>

/**
 * Tasks for the operator, the most urgent first: without data nothing else matters, while approving a keyword can wait.
 */
const NEEDS = [
  {
    of: 'failed_sources',
    name: 'แหล่งข้อมูล',
    part: 'sources',
    icon: CloudOff,
    title: 'แหล่งข้อมูลที่คืนล่าสุดดึงไม่สำเร็จ',
    unit: 'แหล่ง',
    isUrgent: true,
  },
  {
    of: 'failed_loads',
    name: 'การนำเข้า',
    part: 'loads',
    icon: DatabaseZap,
    title: 'การนำเข้าที่ล้มเหลวใน 24 ชั่วโมง',
    unit: 'ครั้ง',
    isUrgent: true,
  },
  {
    of: 'dead_jobs',
    name: 'งานเบื้องหลัง',
    part: 'jobs',
    icon: ListX,
    title: 'งานเบื้องหลังที่ทำไม่สำเร็จ',
    unit: 'งาน',
    isUrgent: true,
  },
  {
    of: 'missing_stores',
    name: 'ที่เก็บเอกสาร',
    part: 'documents',
    icon: HardDrive,
    title: 'ที่เก็บเอกสารไม่ตอบ เปิดและเพิ่มเอกสารไม่ได้',
    unit: 'แห่ง',
    isUrgent: true,
  },
  { of: 'failed_mails', name: 'อีเมล', part: 'jobs', icon: MailX, title: 'อีเมลที่ส่งไม่สำเร็จ', unit: 'ฉบับ', isUrgent: true },
  {
    of: 'paused_webhooks',
    name: 'เว็บฮุก',
    part: 'organisations',
    icon: Unplug,
    title: 'เว็บฮุกขององค์กรที่พักตัวเองใน 24 ชั่วโมง',
    unit: 'รายการ',
    isUrgent: false,
  },
  {
    of: 'waiting_keywords',
    name: 'คำติดตาม',
    part: 'keywords',
    icon: Tags,
    title: 'คำติดตามที่รออนุมัติ',
    unit: 'คำ',
    isUrgent: false,
  },
  {
    of: 'undone_facts',
    name: 'ข้อเท็จจริงจากเอกสาร',
    part: 'documents',
    icon: FileWarning,
    title: 'ข้อเท็จจริงจากเอกสารที่ระบบเลิกแสดงค่าเพราะอ่านไม่แน่ใจบ่อยขึ้น',
    unit: 'ชนิด',
    isUrgent: false,
  },
  {
    of: 'unreadable_rows',
    name: 'แถวข้อมูล',
    part: 'loads',
    icon: FileX2,
    title: 'แถวที่อ่านไม่ได้ใน 24 ชั่วโมง',
    unit: 'แถว',
    isUrgent: false,
  },
] as const satisfies readonly { of: NeedKey; part: string; [more: string]: unknown }[]

export function OperatorOverviewPage() {
  const client = useQueryClient()
  const overview = useQuery(operationOverviewQuery)
  const overviewWithRefetch = {
    ...overview,
    refetch: () => client.refetchQueries({ queryKey: ['operation'], type: 'active' }),
  }
  return (
    <OperatorPageFrame
      title="ภาพรวม"
      what="ภาพรวม"
      query={overviewWithRefetch}
      aside={
        overviewWithRefetch.data && (
          <span className="text-sm text-ink-muted">
            ตรวจเมื่อ {formatThaiDateTime(overviewWithRefetch.data.checked_at)}
          </span>
        )
      }
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
  const openNeeds = NEEDS.filter(({ of }) => counts[of] > 0)
  const calm = NEEDS.filter(({ of }) => counts[of] === 0)
  return (
    <>
      <Card as="section" aria-label="ต้องจัดการ">
        {openNeeds.length === 0 ? (
          <EmptyState icon={CircleCheck} title="ไม่มีอะไรต้องจัดการ">
            แหล่งข้อมูล งานเบื้องหลัง และอีเมลปกติทั้งหมด ไม่มีคำรออนุมัติ
          </EmptyState>
        ) : (
          <ul aria-label="ต้องจัดการ" className="divide-y divide-line">
            {openNeeds.map(({ of, part, icon: Icon, title, unit, isUrgent }) => (
              <li key={of}>
                <Link
                  to="/operation/$part"
                  params={{ part }}
                  className="flex items-center gap-3 px-4 py-4 hover:bg-surface-muted lg:px-5"
                >
                  <Icon aria-hidden className={`size-5 shrink-0 ${isUrgent ? 'text-urgent' : 'text-updated'}`} />
                  <span className="min-w-0 flex-1 font-medium">{title}</span>
                  <span className={`font-semibold tabular-nums ${isUrgent ? 'text-urgent' : 'text-updated'}`}>
                    {formatCount(counts[of])} {unit}
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
