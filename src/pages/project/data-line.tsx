import type { ProjectDetail } from '#contract/project-detail.ts'
import { thaiInstant } from '#src/lib/thai-day.ts'

/** Names of the feed in words; one that is not known is shown as received. */
const SOURCES: Readonly<Record<string, string>> = {
  'cgd-csv': 'ข้อมูลเปิดกรมบัญชีกลาง (CSV)',
  'cgd-json': 'ข้อมูลเปิดกรมบัญชีกลาง (JSON)',
  'egp-rss': 'RSS ของระบบ e-GP',
  ocds: 'ข้อมูลเปิดตามมาตรฐาน OCDS',
  sample: 'ข้อมูลตัวอย่าง',
}

/** How fresh all of it is and where it comes from. */
export function DataLine({ detail }: { detail: ProjectDetail }) {
  const { data_time, source, first_seen_at, changed_at } = detail
  return (
    <p className="text-xs text-ink-faint">
      {data_time === null ? 'ยังไม่มีข้อมูลรอบล่าสุด' : `ข้อมูล ณ ${thaiInstant(data_time)}`} · ที่มา{' '}
      {Object.hasOwn(SOURCES, source) ? SOURCES[source] : source} · พบครั้งแรก {thaiInstant(first_seen_at)} · เปลี่ยนล่าสุด{' '}
      {thaiInstant(changed_at)}
    </p>
  )
}
