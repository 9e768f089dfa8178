import { useQuery } from '@tanstack/react-query'
import { CloudOff, FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { findAnnouncementType } from '#contract/catalogue/announcement-type.ts'
import type { Coverage, CoverageSeries, ProjectCoverage } from '#contract/catalogue/coverage.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { coverageQuery, projectCoverageQuery } from '#src/catalogue/api/coverage.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { MatchExplanationPanel } from '#src/report/why-not/match-explanation-panel.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { CoverageMissList } from './coverage-misses.tsx'
import { CoverageReachCard, CoverageTable } from './coverage-table.tsx'
import { formatCoverageGroup, isFailedNight, NIGHT_TEXTS } from './coverage-text.ts'

export function CoveragePage() {
  const coverage = useQuery(coverageQuery)
  return (
    <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-5 px-4 pt-4 pb-10 lg:px-5">
      <h1 className="text-xl font-semibold">ความครบถ้วนของประกาศ</h1>
      <ProjectCoverageCheck />
      <QueryView
        query={coverage}
        task="โหลดความครบถ้วนของประกาศ"
        staleTitle="โหลดตัวเลขใหม่ไม่สำเร็จ ตัวเลขนี้เป็นของครั้งก่อน"
        barsClassName="space-y-3"
        bars={['h-10', 'h-64']}
        isEmpty={({ first_night }) => first_night === null}
        empty={
          coverage.data?.state === 'demo' ? (
            <EmptyState icon={FlaskConical} title="ข้อมูลทดลองใช้งานไม่ได้มาจาก e-GP">
              โครงการในหน้าทดลองเป็นข้อมูลสมมติ จึงไม่มีความครบถ้วนให้ตรวจ
            </EmptyState>
          ) : (
            <EmptyState icon={CloudOff} title="ระบบยังไม่เคยดึงประกาศจาก e-GP">
              จึงไม่รู้ว่าต้นทางประกาศกี่รายการ ข้อมูลที่เห็นมาจากไฟล์ที่นำเข้า
            </EmptyState>
          )
        }
      >
        {(data) => <CoverageFiguresView coverage={data} />}
      </QueryView>
    </div>
  )
}

type Scope = 'all' | 'followed'
const PANEL_ID = 'coverage-panel'

function CoverageFiguresView({ coverage }: { coverage: Coverage }) {
  const [scope, setScope] = useState<Scope>('all')
  const series = coverage[scope]
  return (
    <>
      <div className="space-y-2">
        {coverage.state === 'off' && (
          <div role="status">
            <Notice warns>ตอนนี้ระบบหยุดดึงประกาศจาก e-GP ตัวเลขหลังวันที่หยุดจึงไม่รู้</Notice>
          </div>
        )}
        <p className="text-sm text-ink-muted">
          นับเฉพาะประกาศเชิญชวน ตามวันที่ที่ต้นทางลงไว้ “ต้นทางนับ” คือจำนวนที่ e-GP แสดงหรือนับไว้เมื่อถามหลังเวลาราชการของวันนั้น
          {coverage.first_night !== null && ` เริ่มดึงคืนวันที่ ${formatThaiDateShort(coverage.first_night)} ก่อนหน้านั้นไม่รู้`}
          {coverage.counts_since !== null &&
            coverage.counts_since !== coverage.first_night &&
            ` จำนวนที่ต้นทางนับเก็บไว้ตั้งแต่ ${formatThaiDateShort(coverage.counts_since)} ก่อนหน้านั้นไม่รู้`}{' '}
          · ตรวจเมื่อ {formatThaiDateTime(coverage.checked_at)}
        </p>
      </div>
      <div className="print:hidden">
        <Tabs<Scope>
          label="หน่วยงานที่นับ"
          items={[
            { value: 'all', label: 'ทุกหน่วยงาน' },
            { value: 'followed', label: 'หน่วยงานที่ติดตาม' },
          ]}
          value={scope}
          onChange={setScope}
          panelId={PANEL_ID}
        />
      </div>
      <div
        id={PANEL_ID}
        role="tabpanel"
        aria-label={scope === 'all' ? 'ทุกหน่วยงาน' : 'หน่วยงานที่ติดตาม'}
        className="flex flex-col gap-5"
      >
        {scope === 'followed' && (
          <p className="text-sm text-ink-muted">หน่วยงานในคำติดตามขององค์กร และหน่วยงานที่คุณกดติดตาม เฉพาะที่มีรหัสใน e-GP</p>
        )}
        {series.agencies === 0 ? (
          <EmptyState
            icon={CloudOff}
            title={scope === 'all' ? 'ยังไม่มีรายชื่อหน่วยงาน' : 'ยังไม่ได้ติดตามหน่วยงานใดที่มีรหัสใน e-GP'}
          >
            {scope === 'followed' && 'เพิ่มหน่วยงานในคำติดตาม หรือกดติดตามที่หน้าหน่วยงาน'}
          </EmptyState>
        ) : (
          <Series series={series} isFollowed={scope === 'followed'} />
        )}
        {scope === 'all' && <Groups coverage={coverage} />}
        {scope === 'all' && coverage.reach.length > 0 && <CoverageReachCard reach={coverage.reach} />}
      </div>
    </>
  )
}

function Series({ series, isFollowed }: { series: CoverageSeries; isFollowed: boolean }) {
  const [openDay, setOpenDay] = useState<string>()
  return (
    <>
      <CoverageTable
        label="สิบสี่วันล่าสุด"
        title={`สิบสี่วันล่าสุด · ${formatCount(series.agencies)} หน่วยงาน`}
        caption="ประกาศเชิญชวนรายวัน วันล่าสุดอยู่บนสุด"
        first="วันที่ประกาศ"
        rows={series.days.map(({ day, night, ...figures }) => ({
          key: day,
          title: formatThaiDateShort(day),
          figures,
          note: (
            <span className={isFailedNight(night.outcome) ? 'text-urgent' : 'text-ink-muted'}>
              คืนนั้น{NIGHT_TEXTS[night.outcome]}
              {night.unreadable > 0 && ` · อ่านไม่ได้ ${formatCount(night.unreadable)} แถว ไม่รู้ว่าเป็นประกาศชนิดใด`}
              {night.timeouts > 0 && ` · ไม่ตอบ ${formatCount(night.timeouts)} ครั้ง`}
            </span>
          ),
          action: (
            <Button
              variant="link"
              size="sm"
              aria-expanded={openDay === day}
              onClick={() => setOpenDay(openDay === day ? undefined : day)}
              className="print:hidden"
            >
              {openDay === day ? 'ซ่อนรายการ' : 'ดูที่ขาดหรือมาช้า'}
              <span className="sr-only"> ของวันที่ {formatThaiDateShort(day)}</span>
            </Button>
          ),
          detail: openDay === day && <CoverageMissList day={day} isFollowed={isFollowed} />,
        }))}
      />
      <CoverageTable
        label="สิบสองเดือนล่าสุด"
        title="สิบสองเดือนล่าสุด"
        caption="ประกาศเชิญชวนรายเดือน เดือนล่าสุดอยู่บนสุด"
        first="ช่วง"
        rows={series.months.map(({ from, to, nights, failed_nights, ...figures }) => ({
          key: from,
          title: `${formatThaiDateShort(from)} – ${formatThaiDateShort(to)}`,
          figures,
          note: (
            <span className={failed_nights > 0 ? 'text-urgent' : 'text-ink-muted'}>
              ดึง {formatCount(nights)} คืน ไม่สำเร็จ {formatCount(failed_nights)} คืน
            </span>
          ),
        }))}
      />
    </>
  )
}

function Groups({ coverage: { groups } }: { coverage: Coverage }) {
  const rowsOf = (period: 'days' | 'months') =>
    groups.map((group) => ({
      key: `${group.kind} ${group.province}`,
      title: formatCoverageGroup(group),
      figures: group[period],
      note: <span className="text-ink-muted">จาก {formatCount(group.agencies)} หน่วยงาน</span>,
    }))
  return (
    <>
      <CoverageTable
        label="ตามชนิดหน่วยงาน สิบสี่วัน"
        title="ตามชนิดหน่วยงาน สิบสี่วันล่าสุด"
        caption="สิบสี่วันล่าสุดตามชนิดหน่วยงาน"
        first="ชนิดหน่วยงาน"
        rows={rowsOf('days')}
      />
      <CoverageTable
        label="ตามชนิดหน่วยงาน สิบสองเดือน"
        title="ตามชนิดหน่วยงาน สิบสองเดือนล่าสุด"
        caption="สิบสองเดือนล่าสุดตามชนิดหน่วยงาน"
        first="ชนิดหน่วยงาน"
        rows={rowsOf('months')}
      />
    </>
  )
}

function ProjectCoverageCheck() {
  const [id, setId] = useState<string>()
  return (
    <section aria-labelledby="coverage-check" className="space-y-3 print:hidden">
      <h2 id="coverage-check" className="text-lg font-semibold">
        ตรวจเองทีละโครงการ
      </h2>
      {id !== undefined && <Since id={id} />}
      <MatchExplanationPanel id={id} onChange={setId} />
    </section>
  )
}

function Since({ id }: { id: string }) {
  const project = useQuery(projectCoverageQuery(id))
  return (
    <QueryView query={project} task="ตรวจว่ามีโครงการนี้ตั้งแต่เมื่อไร" skeleton={<Skeleton className="h-16" />}>
      {(data) => <SinceAnswer {...data} />}
    </QueryView>
  )
}

function SinceAnswer({ project_id, since, announcements }: ProjectCoverage) {
  return (
    <Card as="section" aria-label="มีในระบบตั้งแต่เมื่อไร" className="space-y-1 px-4 py-3">
      <p className="font-semibold">
        {project_id === null
          ? announcements.length > 0
            ? 'ได้รับประกาศแล้ว แต่โครงการยังไม่เข้าระบบ'
            : 'ไม่มีโครงการนี้ในระบบ และไม่เคยได้รับประกาศ'
          : since === null
            ? 'มีในระบบ แต่ไม่รู้ว่าตั้งแต่เมื่อไร'
            : `มีในระบบตั้งแต่ ${formatThaiDateTime(since)}`}
      </p>
      <ul className="text-sm text-ink-muted">
        {announcements.map(({ type, published_on, received_at, is_published, detail }) => (
          <li key={`${type} ${published_on} ${received_at}`}>
            {findAnnouncementType(type)?.th ?? type} วันที่ {formatThaiDateShort(published_on)} · ได้รับ{' '}
            {formatThaiDateTime(received_at)}
            {!is_published && <span className="text-updated"> · ยังไม่เข้าระบบ{detail !== null && `: ${detail}`}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
