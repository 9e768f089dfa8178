import { useQuery } from '@tanstack/react-query'
import type { OperatedChannel } from '#contract/operation/operator-channels.ts'
import { countText } from '#src/lib/figure-text.ts'
import { thaiDateTimeText } from '#src/lib/thai-day.ts'
import { operatedChannelsQuery } from '#src/operation/api/operator-channels.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { FactItem, OperationPage } from './operation-page.tsx'
import { timeSpanText } from './source-condition.ts'

const NAMES: Readonly<Record<string, { readonly th: string; readonly setting: string }>> = {
  mail: { th: 'อีเมล', setting: 'SMTP_URL' },
  push: { th: 'แจ้งบนเครื่อง (web push)', setting: 'VAPID_PUBLIC_KEY และ VAPID_PRIVATE_KEY' },
  line: { th: 'LINE', setting: 'LINE_CHANNEL_ID, LINE_CHANNEL_SECRET และ LINE_CHANNEL_ACCESS_TOKEN' },
}
/**
 * Above this age of the oldest message the channel counts as stuck; due messages normally go out within a second or
 * two.
 */
const LATE_THRESHOLD_SECONDS = 10 * 60

export function ChannelsPage() {
  const channelStatus = useQuery(operatedChannelsQuery)
  return (
    <OperationPage
      title="ช่องทาง"
      what="ช่องทาง"
      query={channelStatus}
      aside={
        channelStatus.data && (
          <span className="text-sm text-ink-muted">ตรวจเมื่อ {thaiDateTimeText(channelStatus.data.checked_at)}</span>
        )
      }
    >
      {({ channels }) => (
        <ul className="space-y-3">
          {channels.map((channel) => (
            <ChannelCard key={channel.channel} {...channel} />
          ))}
        </ul>
      )}
    </OperationPage>
  )
}

function ChannelCard(channelStatus: OperatedChannel) {
  const { channel, is_set_up: isSetUp, waiting, oldest_seconds: oldest, failed } = channelStatus
  const { th = channel, setting = '' } = NAMES[channel] ?? {}
  return (
    <Card as="li" className="space-y-3 px-4 py-3 sm:px-5">
      <h2 className="flex flex-wrap items-center gap-2 text-md font-semibold">
        {th}
        <Condition {...channelStatus} />
      </h2>
      {isSetUp || waiting + channelStatus.sent + failed > 0 ? (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
          <FactItem name="ผู้ใช้" value={countText(channelStatus.users)} />
          <FactItem
            name="รอส่ง"
            value={countText(waiting)}
            tone={oldest > LATE_THRESHOLD_SECONDS ? 'text-urgent' : undefined}
          >
            {waiting > 0 && `นานสุด ${timeSpanText(oldest * 1000)}`}
          </FactItem>
          <FactItem name="ส่งใน 24 ชม." value={countText(channelStatus.sent)} />
          <FactItem name="ไม่สำเร็จใน 24 ชม." value={countText(failed)} tone={failed > 0 ? 'text-urgent' : undefined} />
          <FactItem
            name="ส่งสำเร็จล่าสุด"
            value={channelStatus.last_sent_at === null ? 'ยังไม่เคย' : thaiDateTimeText(channelStatus.last_sent_at)}
          />
          <FactItem name="ข้อผิดพลาดล่าสุด" value={channelStatus.last_error ?? 'ไม่มี'}>
            {channelStatus.last_error_at !== null && thaiDateTimeText(channelStatus.last_error_at)}
          </FactItem>
        </div>
      ) : (
        <p className="text-ink-muted">ยังไม่ได้ตั้ง {setting} ผู้ใช้จึงยังไม่เห็นช่องทางนี้</p>
      )}
      {channelStatus.month && <MonthUsage {...channelStatus.month} />}
    </Card>
  )
}

function MonthUsage({ used, quota, is_out: isOut, asked_at: askedAt, failure }: NonNullable<OperatedChannel['month']>) {
  const limit = quota === null ? 'ไม่จำกัด' : `จาก ${countText(quota)}`
  return (
    <p className={isOut || failure !== null ? 'text-sm text-updated' : 'text-sm text-ink-muted'}>
      {used === null ? 'ยังไม่รู้จำนวนข้อความของเดือนนี้' : `ข้อความเดือนนี้ ${countText(used)} ${limit}`}
      {isOut && ' ครบโควตาแล้ว ที่เหลือของเดือนส่งทางอีเมลแทน'}
      {failure !== null && ` · ถามครั้งล่าสุดไม่สำเร็จ: ${lineFailure(failure)}`}
      {askedAt !== null && ` · ถามเมื่อ ${thaiDateTimeText(askedAt)}`}
    </p>
  )
}

function lineFailure(failure: string): string {
  if (/^status 40[13]$/.test(failure)) return `LINE ไม่รับ LINE_CHANNEL_ACCESS_TOKEN อาจผิดหรือถูกยกเลิก (${failure})`
  if (failure === 'status 429') return `ถาม LINE ถี่เกินไป ระบบจะถามใหม่เอง (${failure})`
  if (failure.startsWith('status 5')) return `LINE ขัดข้อง ระบบจะถามใหม่เอง (${failure})`
  return `ติดต่อ LINE ไม่ได้ ระบบจะถามใหม่เอง (${failure})`
}

function Condition({ is_set_up: isSetUp, waiting, oldest_seconds: oldest, failed, month }: OperatedChannel) {
  if (!isSetUp && waiting > 0) return <Badge tone="urgent">ปิดอยู่ มีข้อความค้าง</Badge>
  if (!isSetUp) return <Badge>ไม่ได้ตั้งค่า</Badge>
  if (oldest > LATE_THRESHOLD_SECONDS) return <Badge tone="urgent">ค้าง</Badge>
  if (failed > 0) return <Badge tone="updated">บางข้อความส่งไม่สำเร็จ</Badge>
  if (month && month.failure !== null) return <Badge tone="updated">ถาม LINE ไม่สำเร็จ</Badge>
  if (month?.is_out) return <Badge tone="updated">ครบโควตา</Badge>
  return <Badge tone="accent">ปกติ</Badge>
}
