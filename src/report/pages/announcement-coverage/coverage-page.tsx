import { useQuery } from '@tanstack/react-query'
import { CloudOff, FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { findAnnouncementType } from '#contract/catalogue/announcement-type.ts'
import type { Coverage, CoverageSeries } from '#contract/catalogue/coverage.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { coverageMissesQuery, coverageQuery, projectCoverageQuery } from '#src/catalogue/api/coverage.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { MatchExplanationPanel } from '#src/report/why-not/match-explanation-panel.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { CoverageReachCard, CoverageTable } from './coverage-table.tsx'
import {
  formatCoverageGroup,
  isFailedNight,
  MISS_REASON_TEXTS,
  NIGHT_TEXTS,
  UNKNOWN_REASON_TEXTS,
} from './coverage-text.ts'

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

const SCOPES = [
  { value: 'all', label: 'ทุกหน่วยงาน' },
  { value: 'followed', label: 'หน่วยงานที่ติดตาม' },
] as const
type Scope = (typeof SCOPES)[number]['value']
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
        <Tabs<Scope> label="หน่วยงานที่นับ" items={SCOPES} value={scope} onChange={setScope} panelId={PANEL_ID} />
      </div>
      <div
        id={PANEL_ID}
        role="tabpanel"
        aria-label={SCOPES.find(({ value }) => value === scope)?.label}
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
  const periods = [
    { name: 'สิบสี่วัน', rows: rowsOf('days') },
    { name: 'สิบสองเดือน', rows: rowsOf('months') },
  ]
  return periods.map(({ name, rows }) => (
    <CoverageTable
      key={name}
      label={`ตามชนิดหน่วยงาน ${name}`}
      title={`ตามชนิดหน่วยงาน ${name}ล่าสุด`}
      caption={`${name}ล่าสุดตามชนิดหน่วยงาน`}
      first="ชนิดหน่วยงาน"
      rows={rows}
    />
  ))
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
      {({ project_id, since, announcements }) => (
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
                {!is_published && (
                  <span className="text-updated"> · ยังไม่เข้าระบบ{detail !== null && `: ${detail}`}</span>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </QueryView>
  )
}

function CoverageMissList({ day, isFollowed }: { day: string; isFollowed: boolean }) {
  const misses = useQuery(coverageMissesQuery(day, isFollowed))
  return (
    <QueryView
      query={misses}
      task="โหลดรายการที่ขาด"
      barsClassName="space-y-2"
      bars={['h-6', 'h-6']}
      isEmpty={({ total, unlisted, unknown_total }) => total + unlisted.length + unknown_total === 0}
      empty={<p className="text-ink-muted">เท่าที่ต้นทางนับ ไม่มีประกาศใดมาช้าหรือขาดในวันนี้</p>}
    >
      {({ items, total, unlisted, unknown, unknown_total }) => (
        <div className="space-y-4">
          {items.length > 0 && (
            <section>
              <h4 className="font-semibold">ไม่ทันเช้าแรก {formatCount(total)} ประกาศ</h4>
              <ul className="divide-y divide-line">
                {items.map(({ project_id, title, agency, received_at, reason, detail }) => (
                  <li key={`${project_id} ${title}`} className="py-2">
                    <p className="font-medium wrap-anywhere">{title}</p>
                    <p className="flex flex-wrap gap-x-3 text-sm text-ink-muted">
                      <span>{agency}</span>
                      <ProjectId id={project_id} />
                      <span>{received_at === null ? 'ยังไม่เข้าระบบ' : `เข้าระบบ ${formatThaiDateTime(received_at)}`}</span>
                    </p>
                    <p className="text-sm text-updated">
                      {[MISS_REASON_TEXTS[reason], detail].filter(Boolean).join(': ')}
                    </p>
                  </li>
                ))}
              </ul>
              <Remainder shown={items.length} total={total} />
            </section>
          )}
          {unlisted.length > 0 && (
            <section>
              <h4 className="font-semibold">ต้นทางนับ แต่ไม่แสดงรายการ</h4>
              <p className="text-sm text-ink-muted">ต้นทางให้คำตอบละไม่เกิน 20 รายการ ส่วนที่เกินจึงไม่รู้ทั้งชื่อและเลขที่โครงการ</p>
              <ul className="divide-y divide-line">
                {unlisted.map(({ agency, counted, missing }) => (
                  <li key={agency} className="flex flex-wrap justify-between gap-x-3 py-1.5">
                    <span className="min-w-0 wrap-anywhere">{agency}</span>
                    <span className="text-updated tabular-nums">
                      ขาด {formatCount(missing)} จาก {formatCount(counted)}
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {unknown.length > 0 && (
            <section>
              <h4 className="font-semibold">ไม่รู้ว่าประกาศกี่รายการ {formatCount(unknown_total)} หน่วยงาน</h4>
              <ul className="divide-y divide-line">
                {unknown.map(({ agency, answered_at, reason }) => (
                  <li key={agency} className="flex flex-wrap justify-between gap-x-3 py-1.5">
                    <span className="min-w-0 wrap-anywhere">{agency}</span>
                    <span className="text-sm text-ink-muted">
                      {UNKNOWN_REASON_TEXTS[reason]}
                      {answered_at !== null && ` · ตอบล่าสุด ${formatThaiDateTime(answered_at)}`}
                    </span>
                  </li>
                ))}
              </ul>
              <Remainder shown={unknown.length} total={unknown_total} />
            </section>
          )}
        </div>
      )}
    </QueryView>
  )
}

function Remainder({ shown, total }: { shown: number; total: number }) {
  if (shown >= total) return null
  return <p className="pt-2 text-sm text-ink-muted">แสดง {formatCount(shown)} รายการแรก</p>
}
