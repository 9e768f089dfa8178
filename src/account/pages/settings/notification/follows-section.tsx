import { useQuery } from '@tanstack/react-query'
import {
  BELL_ONLY_UPDATE_KINDS,
  FOLLOW_KINDS,
  type Follow,
  type Follows,
  NOTIFIABLE_UPDATE_KINDS,
  type NotifiableUpdateKind,
} from '#contract/report/follow.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import { followsQuery, updateFollows } from '#src/report/api/follows.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

export function FollowsSection() {
  const followedItems = useQuery(useOptimisticQueryOptions(followsQuery))
  return (
    <SettingsSection
      title="เรื่องที่รับแจ้ง"
      description="แจ้งเมื่อหน่วยงานประกาศโครงการใหม่ บริษัทชนะโครงการ มีงานที่เกี่ยวข้องกับโครงการ สัญญาใกล้หมด หรือคำใกล้เคียงที่น่าเพิ่มหรือเลิกใช้ เฉพาะโครงการในรายงานขององค์กร อีเมลส่งตอน 08:30 น. วันละฉบับ"
    >
      <QueryView
        query={followedItems}
        errorTitle="โหลดเรื่องที่รับแจ้งไม่สำเร็จ"
        skeleton={
          <SkeletonGroup label="กำลังโหลดเรื่องที่รับแจ้ง">
            <Skeleton className="h-32" />
          </SkeletonGroup>
        }
      >
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
            aria-label={`เลิกรับแจ้ง ${name}`}
            onClick={() => void updateFollows({ remove: { kind, key } }, 'เลิกรับแจ้งไม่สำเร็จ')}
          >
            เลิกรับแจ้ง
          </Button>
        </li>
      ))}
    </ul>
  )
}
